# Short names for run.py, which does the work: `python3 run.py` says more.
.PHONY: play test long docs

play test docs:
	@python3 run.py $@

long:
	@python3 run.py test --long
