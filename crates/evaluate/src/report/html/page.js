// The page as a whole: theme, contents, folding. Everything is readable without scripts.

{
  // Storage may be blocked for pages opened from disk.
  const remember = { get: () => { try { return localStorage.getItem("acidtest-theme"); } catch { return null; } },
                     set: (theme) => { try { localStorage.setItem("acidtest-theme", theme); } catch { /* for this visit only */ } } };
  const themes = ["auto", "light", "dark"];
  const button = document.getElementById("theme");
  const show = (theme) => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.lastElementChild.textContent = theme;
  };
  let theme = themes.includes(remember.get()) ? remember.get() : "auto";
  show(theme);
  button.hidden = false;
  button.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    show(theme);
    remember.set(theme);
  });
}

{
  // On a narrow screen, the contents would push the verdict out of view.
  const narrow = matchMedia("(max-width: 60rem)");
  const details = document.querySelector("nav.contents details");
  const fold = () => { details.open = !narrow.matches; };
  fold();
  narrow.addEventListener("change", fold);

  const links = new Map([...details.querySelectorAll("a")].map((link) => [link.hash.slice(1), link]));
  const seen = new Set();
  const watch = new IntersectionObserver((entries) => {
    for (const entry of entries) entry.isIntersecting ? seen.add(entry.target.id) : seen.delete(entry.target.id);
    const current = [...links.keys()].find((id) => seen.has(id));
    for (const [id, link] of links) id === current ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current");
  }, { rootMargin: "-10% 0px -60% 0px" });
  for (const id of links.keys()) watch.observe(document.getElementById(id));
}

{
  const folds = [...document.querySelectorAll("main details")];
  const topics = [...document.querySelectorAll("details.topic")];
  document.querySelector(".folds").hidden = topics.length < 2;
  document.getElementById("unfold").addEventListener("click", () => topics.forEach((topic) => { topic.open = true; }));
  document.getElementById("fold").addEventListener("click", () => topics.forEach((topic) => { topic.open = false; }));

  // The target of the URL is unfolded, with everything around it.
  const unfold = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1).split("?")[0]));
    if (!target) return;
    for (let at = target.querySelector(":scope > details.topic") ?? target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", unfold);
  // A link to the current URL changes nothing, but must still unfold its target.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (link && link.hash === location.hash) unfold();
  });
  if (location.hash) unfold();

  // Printed pages are fully unfolded.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = folds.filter((fold) => !fold.open && !fold.matches(".save"));
    for (const fold of opened) fold.open = true;
  });
  addEventListener("afterprint", () => { for (const fold of opened) fold.open = false; });
}
