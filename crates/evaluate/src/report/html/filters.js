// The filters above the examples: radio buttons for filters with few values, lists for the others, all with counts.

const filters = (() => {
  const byId = (id) => document.getElementById(id);
  const { facets, facet, manifest } = acidtest;
  const grouped = new Intl.NumberFormat("en").format;

  // Filters with few values, and the names of their values.
  const switches = new Map([
    ["right", { title: "Correctness", values: [["All", ""], ["Wrong", "wrong"], ["Right", "right"]] }],
    ["changed", { title: "Prediction changed", values: [["All", ""], ["Changed", "changed"], ["Unchanged", "unchanged"]] }],
    ["models", { title: "Models", values: [["All", ""], ["Disagree", "disagree"], ["Agree", "agree"]] }],
  ]);
  // Filters that are always visible; those for tags are folded.
  const main = new Set(["set", "gold", "prediction", "original prediction"]);
  const selects = new Map();
  let modelSelect = null;

  // `choose(name, code)` sets a filter, or clears it with null; `look(model)` selects a model.
  function build(counts, choose, look) {
    if (manifest.models.length > 1) {
      modelSelect = card.element("select", { id: "filter-model" });
      modelSelect.append(...manifest.models.map((name, at) => card.element("option", { value: at, textContent: name })));
      modelSelect.addEventListener("change", () => look(Number(modelSelect.value)));
      byId("choices").append(card.element("label", { className: "model-choice" }, "Predictions of", modelSelect));
    }
    for (const [name, { title, values }] of switches) {
      if (used(counts, name) === 0) continue;
      const group = card.element("fieldset", { id: `filter-${name}`, className: "segments" }, card.element("legend", { textContent: title }));
      for (const [text, value] of values) {
        const input = card.element("input", { type: "radio", name, value, checked: value === "" });
        input.addEventListener("change", () => choose(name, value === "" ? null : acidtest.code(facet.get(name), value)));
        group.append(card.element("label", {}, input, text, card.element("span", { className: "count" })));
      }
      byId("choices").append(group);
    }
    for (const entry of facets) {
      // A filter with a single value is useless.
      if (switches.has(entry.name) || values(counts, entry.name) < 2) continue;
      const select = card.element("select");
      select.addEventListener("change", () => choose(entry.name, select.value === "" ? null : Number(select.value)));
      byId(main.has(entry.name) ? "selects" : "more").append(card.element("label", {}, entry.name, select));
      selects.set(entry.name, select);
    }
  }

  // Active tag filters are unfolded.
  function unfold(choices) {
    const box = byId("more").parentElement;
    box.hidden = byId("more").childElementCount === 0;
    if ([...choices.keys()].some((name) => selects.has(name) && !main.has(name))) box.open = true;
  }

  const values = (counts, name) => counts.get(name).reduce((sum, count) => sum + (count > 0), 0);
  // The number of values with examples.
  const used = (counts, name) => counts.get(name).subarray(1).reduce((sum, count) => sum + (count > 0), 0);

  function show(counts, choices, model) {
    if (modelSelect) modelSelect.value = model;
    unfold(choices);
    for (const [name, select] of selects) {
      const entry = facet.get(name);
      const tally = counts.get(name);
      const chosen = choices.get(name);
      const order = [...tally.keys()].filter((code) => tally[code] > 0 || code === chosen)
        .sort((a, b) => acidtest.value(entry, a).localeCompare(acidtest.value(entry, b), "en", { numeric: true }));
      const options = order.map((code) => card.element("option",
        { value: code, textContent: `${acidtest.value(entry, code)} (${grouped(tally[code])})`, selected: code === chosen }));
      select.replaceChildren(card.element("option", { value: "", textContent: "all" }), ...options);
      select.value = chosen ?? "";
      select.classList.toggle("chosen", chosen !== undefined);
      select.disabled = order.length < 2 && chosen === undefined;
    }
    for (const name of switches.keys()) {
      const group = byId(`filter-${name}`);
      if (!group) continue;
      const tally = counts.get(name);
      const chosen = choices.has(name) ? acidtest.value(facet.get(name), choices.get(name)) : "";
      for (const input of group.querySelectorAll("input")) {
        input.checked = input.value === chosen;
        const count = input.value === "" ? tally.reduce((sum, number) => sum + number, 0) : tally[acidtest.code(facet.get(name), input.value)];
        input.parentElement.lastElementChild.textContent = grouped(count);
      }
    }
  }

  return { build, show, grouped };
})();
