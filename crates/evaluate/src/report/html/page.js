// The whole page: theme, contents, tables that can be sorted. Everything works without it but these.

{
  // Storage may be forbidden for pages from disk.
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
  // On a narrow screen the contents would push the verdict off the page.
  const narrow = matchMedia("(max-width: 60rem)");
  const details = document.querySelector("nav details");
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

// What is wider than the screen can be scrolled with keys too.
for (const box of document.querySelectorAll(".scroll")) {
  new ResizeObserver(() => { box.scrollWidth > box.clientWidth ? box.tabIndex = 0 : box.removeAttribute("tabindex"); }).observe(box);
}

// Tables of several rows are sorted by a click on the head of a column; a third click brings the first order back.
for (const table of document.querySelectorAll("table.beside, table.stacked")) {
  const body = table.tBodies[0];
  const given = [...body.rows];
  if (given.length < 2) continue;
  const value = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
  };
  const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b
    : typeof a === "number" ? -1 : typeof b === "number" ? 1 : a.localeCompare(b, "en", { numeric: true }));
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const order = { ascending: "descending", descending: null }[head.ariaSort];
      const next = order === undefined ? "ascending" : order;
      for (const other of table.tHead.rows[0].cells) other.ariaSort = null;
      head.ariaSort = next;
      const sign = next === "descending" ? -1 : 1;
      const rows = next ? given.toSorted((a, b) => sign * compare(value(a, column), value(b, column))) : given;
      body.append(...rows);
    });
  });
}
