// The example browser: filters, search, paging and keyboard. Its state is in the URL, so that a view can be bookmarked and shared.

(() => {
  const byId = (id) => document.getElementById(id);
  const { facet, manifest } = acidtest;
  const { grouped } = filters;
  const perPage = 50;
  const choices = new Map();
  let model = 0;
  let query = "";
  let found = null;
  let hits = new Uint32Array(0);
  let page = 0;
  let ready = null;
  let built = false;
  // Each change makes earlier asynchronous work obsolete.
  let searchTurn = 0;
  let drawTurn = 0;

  const list = byId("rows");
  const pages = () => Math.max(1, Math.ceil(hits.length / perPage));
  const trouble = (error) => { byId("trouble").textContent = error.message; byId("trouble").hidden = false; };

  function choose(name, code) {
    code === null ? choices.delete(name) : choices.set(name, code);
    update();
  }

  function look(number) {
    model = number;
    acidtest.lookAt(model);
    update();
  }

  function filter(name, value) {
    choose(name, acidtest.code(facet.get(name), value));
    byId("count").scrollIntoView({ block: "nearest" });
  }

  // The displayed examples.

  function update(at = 0) {
    const { hits: left, counts } = acidtest.select(choices, found);
    hits = left;
    if (!built) filters.build(counts, choose, look);
    built = true;
    filters.show(counts, choices, model);
    byId("clear").hidden = choices.size === 0 && query === "";
    for (const id of ["export-csv", "export-jsonl"]) byId(id).disabled = hits.length === 0;
    byId("count").textContent = hits.length === 0 ? "No example matches: clear a filter or search for fewer words"
      : `${grouped(hits.length)} of ${grouped(manifest.examples)} examples`;
    return turn(at);
  }

  // Shows a page; `focus` is the index of the example to focus.
  async function turn(to, focus = null) {
    page = Math.min(Math.max(to, 0), pages() - 1);
    keepAddress();
    const mine = ++drawTurn;
    const start = page * perPage;
    list.setAttribute("aria-busy", "true");
    let examples, originals;
    try {
      examples = await Promise.all([...hits.subarray(start, start + perPage)].map(acidtest.example));
      originals = await Promise.all(examples.map(({ original }) => (original === null ? null : acidtest.example(original))));
    } catch (error) {
      return trouble(error);
    }
    if (mine !== drawTurn) return;
    const words = acidtest.words(query);
    list.replaceChildren(...examples.map((example, at) =>
      card.render(example, originals[at], { words, place: start + at + 1, total: hits.length, filter, looked: model })));
    list.setAttribute("aria-busy", "false");
    if (list.firstElementChild) list.firstElementChild.tabIndex = 0;
    byId("pages").hidden = pages() === 1;
    byId("page").value = page + 1;
    byId("page").max = pages();
    byId("last").textContent = grouped(pages());
    byId("previous").disabled = page === 0;
    byId("next").disabled = page === pages() - 1;
    if (focus !== null) focusRow(list.children[Math.min(focus, list.children.length - 1)]);
  }

  function focusRow(item) {
    if (!item) return;
    for (const other of list.children) other.tabIndex = other === item ? 0 : -1;
    item.focus({ preventScroll: true });
    item.scrollIntoView({ block: "nearest" });
  }

  // Search.

  let pause = 0;
  function typed() {
    clearTimeout(pause);
    pause = setTimeout(() => search(byId("query").value), 250);
  }

  async function search(text, at = 0) {
    if (text.trim() === query) return;
    query = text.trim();
    const mine = ++searchTurn;
    const bar = byId("progress");
    bar.hidden = true;
    if (query === "") { found = null; return update(at); }
    const marks = new Uint8Array(manifest.examples);
    let drawn = performance.now();
    const progress = (share) => {
      if (mine !== searchTurn) return false;
      bar.value = share;
      bar.hidden = share === 1;
      // Early matches are shown while the search continues, but not so often that it slows down.
      if (share < 1 && performance.now() - drawn > 1000) {
        found = marks;
        update(page);
        drawn = performance.now();
      }
      return true;
    };
    try {
      await acidtest.search(query, marks, progress);
    } catch (error) {
      return trouble(error);
    }
    if (mine !== searchTurn) return;
    found = marks;
    return update(at || page);
  }

  // The URL.

  function keepAddress() {
    const parts = new URLSearchParams();
    if (model > 0) parts.set("model", manifest.models[model]);
    for (const [name, code] of choices) parts.set(name, acidtest.value(facet.get(name), code));
    if (query) parts.set("q", query);
    if (page > 0) parts.set("page", page + 1);
    if (location.hash.startsWith("#examples") || parts.size > 0) history.replaceState(null, "", `#examples${parts.size ? `?${parts}` : ""}`);
  }

  async function followAddress() {
    const [place, rest = ""] = location.hash.split("?");
    if (place !== "#examples") return;
    const parts = new URLSearchParams(rest);
    await start();
    choices.clear();
    model = Math.max(0, manifest.models.indexOf(parts.get("model")));
    acidtest.lookAt(model);
    for (const [name, value] of parts) {
      const code = facet.has(name) ? acidtest.code(facet.get(name), value) : -1;
      if (code >= 0) choices.set(name, code);
    }
    const at = Number(parts.get("page") ?? 1) - 1;
    byId("query").value = parts.get("q") ?? "";
    byId("examples").scrollIntoView();
    if (byId("query").value.trim() !== query) return search(byId("query").value, at);
    return update(at);
  }

  // Keyboard shortcuts.

  function step(by) {
    const items = [...list.children];
    const at = items.indexOf(document.activeElement?.closest?.("#rows > li"));
    const next = at < 0 ? (by > 0 ? 0 : items.length - 1) : at + by;
    if (next >= items.length && page < pages() - 1) turn(page + 1, 0);
    else if (next < 0 && page > 0) turn(page - 1, perPage - 1);
    else focusRow(items[next]);
  }

  function pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const field = event.target.closest("input, select, textarea");
    if (event.key === "Escape" && event.target === byId("query")) {
      if (byId("query").value === "") return byId("query").blur();
      byId("query").value = "";
      event.preventDefault();
      return search("");
    }
    if (event.key === "ArrowDown" && event.target === byId("query")) { event.preventDefault(); return step(1); }
    if (field) return;
    const inList = event.target.closest("#rows");
    const acts = {
      "/": () => { byId("query").focus(); byId("query").select(); },
      j: () => step(1),
      k: () => step(-1),
      ...(inList && {
        ArrowDown: () => step(1),
        ArrowUp: () => step(-1),
        ArrowRight: () => turn(page + 1, 0),
        ArrowLeft: () => turn(page - 1, 0),
        Escape: () => byId("query").focus(),
      }),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    start().then(acts[event.key]);
  }

  async function exportAs(name, write) {
    const bar = byId("progress");
    bar.hidden = false;
    try {
      save.download(name, "", await write(hits, (share) => { bar.value = share; }));
    } catch (error) {
      trouble(error);
    }
    bar.hidden = true;
  }

  // The examples are loaded when the browser is about to scroll into view.
  function start() {
    ready ??= acidtest.open().then(() => {
      byId("filters").hidden = false;
      document.querySelector(".keys").hidden = false;
      return update();
    }).catch(trouble);
    return ready;
  }

  byId("query").addEventListener("input", typed);
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("filters").addEventListener("reset", () => {
    choices.clear();
    byId("query").value = "";
    // The form resets its own fields after this.
    setTimeout(() => (query === "" ? update() : search("")));
  });
  byId("export-csv").addEventListener("click", () => exportAs("examples.csv", exported.csv));
  byId("export-jsonl").addEventListener("click", () => exportAs("examples.jsonl", exported.jsonLines));
  byId("previous").addEventListener("click", () => turn(page - 1, 0));
  byId("next").addEventListener("click", () => turn(page + 1, 0));
  byId("page").addEventListener("change", () => turn(Number(byId("page").value) - 1));
  document.addEventListener("keydown", pressed);
  addEventListener("hashchange", followAddress);
  new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && start(), { rootMargin: "200px" }).observe(byId("examples"));
  followAddress();
})();
