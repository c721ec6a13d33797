"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const cases = [...document.querySelectorAll(".case")];
  const form = document.querySelector(".filter");
  const [words, verdict, profile, level] = ["words", "verdict", "profile", "level"].map(byId);
  let clause = "";

  const texts = new Map(cases.map((item) => [item, item.textContent.toLowerCase()]));

  function fits(item) {
    const results = item.dataset.results.trim().split(" ").map((text) => text.split(":"));
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    return (
      (!clause || item.dataset.clauses.split(" ").includes(clause)) &&
      (!level.value || item.dataset.level === level.value) &&
      results.some(
        ([table, went]) =>
          (!profile.value || table === profile.value) && (!verdict.value || went === verdict.value),
      ) &&
      wanted.every((word) => texts.get(item).includes(word))
    );
  }

  function show() {
    if (clause && words.value !== clause) clause = "";
    let count = 0;
    for (const item of cases) {
      item.hidden = !fits(item);
      if (!item.hidden) count += 1;
    }
    byId("shown").value = `${count} ${count === 1 ? "case" : "cases"}`;
  }

  form.addEventListener("input", show);
  form.addEventListener("reset", () => setTimeout(() => { clause = ""; show(); }));
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const link of document.querySelectorAll(".matrix a")) {
    link.addEventListener("click", () => {
      clause = link.dataset.clause;
      words.value = clause;
      profile.value = link.dataset.profile;
      verdict.value = level.value = "";
      show();
      byId("cases").focus();
    });
  }

  const theme = byId("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
  const label = () => { theme.textContent = isDark() ? "Light" : "Dark"; };
  theme.hidden = false;
  theme.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    label();
  });
  dark.addEventListener("change", label);
  label();

  addEventListener("beforeprint", () => {
    for (const item of cases) if (!item.hidden && !item.classList.contains("passed")) item.open = true;
  });
})();
