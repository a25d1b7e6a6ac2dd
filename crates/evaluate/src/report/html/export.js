// Saves the filtered examples to a file for other programs.

const exported = (() => {
  // The number of examples written before control returns to the page.
  const batch = 1_000;

  function record(example, parent) {
    const predictions = Object.fromEntries(example.models.map(({ model, prediction, right, original, scores }) =>
      [model, { prediction, right: right === "right" ? true : right === "wrong" ? false : null, ...(original !== null && { original }), ...(scores && { scores }) }]));
    return { set: example.set, id: example.id, ...(parent && { parent: parent.id, original_premise: parent.premise, original_hypothesis: parent.hypothesis }),
      premise: example.premise, hypothesis: example.hypothesis, gold: example.gold, predictions, tags: Object.fromEntries(example.tags) };
  }

  // All examples in order, as objects; `progress` receives the progress.
  async function* records(hits, progress) {
    for (let start = 0; start < hits.length; start += batch) {
      const part = await Promise.all([...hits.subarray(start, start + batch)].map(acidtest.example));
      const parents = await Promise.all(part.map(({ original }) => (original === null ? null : acidtest.example(original))));
      for (const [at, example] of part.entries()) yield record(example, parents[at]);
      progress(Math.min(1, (start + batch) / hits.length));
    }
  }

  async function jsonLines(hits, progress) {
    const lines = [];
    for await (const found of records(hits, progress)) lines.push(`${JSON.stringify(found)}\n`);
    return new Blob(lines, { type: "application/jsonl" });
  }

  async function csv(hits, progress) {
    const models = acidtest.manifest.models;
    const found = [];
    const tags = new Set();
    let original = false;
    for await (const one of records(hits, progress)) {
      found.push(one);
      original ||= one.parent !== undefined;
      for (const name of Object.keys(one.tags)) tags.add(name);
    }
    const before = original ? ["parent", "original_premise", "original_hypothesis"] : [];
    const of = (model) => [model, `${model} right`, ...(original ? [`${model} original`] : [])];
    const heads = ["set", "id", ...before, "premise", "hypothesis", "gold", ...models.flatMap(of), ...tags];
    const cells = (one) => [one.set, one.id, ...before.map((name) => one[name] ?? ""), one.premise, one.hypothesis, one.gold,
      ...models.flatMap((model) => {
        const { prediction, right, original: first } = one.predictions[model];
        return [prediction, right ?? "", ...(original ? [first ?? ""] : [])];
      }),
      ...[...tags].map((name) => one.tags[name] ?? "")];
    const line = (texts) => `${texts.map((text) => save.quoted(String(text))).join(",")}\n`;
    return new Blob([line(heads), ...found.map((one) => line(cells(one)))], { type: "text/csv" });
  }

  return { csv, jsonLines };
})();
