"""Engine: legal moves, states and scores, made from the spec."""
