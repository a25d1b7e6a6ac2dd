// The examples: small fields in typed arrays, texts in chunks that are loaded on demand.
// Pages opened from disk may not fetch files, but may run scripts, so each file calls acidtest.index or acidtest.text; a single-file page
// contains the data.

const acidtest = (() => {
  const manifest = JSON.parse(document.getElementById("manifest").textContent);
  // Code 0 means no value in every filter.
  const facets = manifest.facets.map((facet) => ({ ...facet, column: new Uint16Array(manifest.examples) }));
  const facet = new Map(facets.map((entry) => [entry.name, entry]));
  // Each model's prediction, whether it is correct and whether it changed, packed into one byte; the index of the original, from 1.
  const outcomes = manifest.models.map(() => new Uint8Array(manifest.examples));
  const parents = new Uint32Array(manifest.examples);
  const none = "(none)";
  const value = (entry, code) => (code === 0 ? none : entry.values[code - 1]);
  const code = (entry, text) => {
    const at = entry.values.indexOf(text);
    return at >= 0 ? at + 1 : text === none ? 0 : -1;
  };

  function decoded({ bytes, base64 }) {
    // The built-in function is faster, but not every browser has it yet.
    const raw = Uint8Array.fromBase64?.(base64) ?? Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    return bytes === 1 ? raw : bytes === 2 ? new Uint16Array(raw.buffer) : new Uint32Array(raw.buffer);
  }

  function load(kind, number) {
    const inside = document.getElementById(`data-${kind}-${number}`);
    if (inside) {
      acidtest[kind](number, JSON.parse(inside.textContent));
      return Promise.resolve();
    }
    const path = `data/${kind}-${number}.js`;
    return new Promise((resolve, reject) => {
      const element = document.createElement("script");
      element.src = path;
      element.onload = () => { element.remove(); resolve(); };
      element.onerror = () => { element.remove(); reject(new Error(`${path} is missing: keep the folder "data" beside this page`)); };
      document.head.append(element);
    });
  }

  function index(number, columns) {
    const start = number * manifest.in_index;
    facet.get("set").column.set(decoded(columns.set), start);
    facet.get("gold").column.set(decoded(columns.gold), start);
    if (columns.parent) parents.set(decoded(columns.parent), start);
    columns.models.forEach((codes, model) => outcomes[model].set(decoded(codes), start));
    for (const [name, codes] of Object.entries(columns.tags)) facet.get(name)?.column.set(decoded(codes), start);
  }

  // All index files; loaded once.
  let opened = null;
  function open() {
    const files = Math.ceil(manifest.examples / manifest.in_index);
    opened ??= Promise.all(Array.from({ length: files }, (_, number) => load("index", number))).then(() => {
      compareModels();
      lookAt(0);
    });
    // The number of texts that are usually displayed first.
    chunk(0).catch(() => {});
    return opened;
  }

  function compareModels() {
    if (outcomes.length < 2) return;
    const [agree, disagree] = ["agree", "disagree"].map((text) => code(facet.get("models"), text));
    const column = facet.get("models").column;
    const [first, ...others] = outcomes;
    manifest.models.forEach((model, number) => {
      const right = facet.get(`${model} is`).column;
      for (let at = 0; at < right.length; at++) right[at] = (outcomes[number][at] >> 3) & 3;
    });
    for (let at = 0; at < column.length; at++) column[at] = others.some((other) => (other[at] & 7) !== (first[at] & 7)) ? disagree : agree;
  }

  // The filters that belong to a model are computed from that model's predictions.
  let looked = -1;
  function lookAt(model) {
    if (looked === model || outcomes.length === 0) return;
    looked = model;
    const packed = outcomes[model];
    const [prediction, original, right, changed] = ["prediction", "original prediction", "right", "changed"].map((name) => facet.get(name).column);
    for (let at = 0; at < packed.length; at++) {
      const outcome = packed[at];
      prediction[at] = outcome & 7;
      right[at] = (outcome >> 3) & 3;
      changed[at] = outcome >> 5;
      original[at] = parents[at] > 0 ? packed[parents[at] - 1] & 7 : 0;
    }
  }

  // Recently used chunks of texts. This many are about 130 MB of sentences.
  const kept = 256;
  const arrived = new Map();
  const chunks = new Map();
  const text = (number, columns) => arrived.set(number, columns);
  const chunkCount = Math.ceil(manifest.examples / manifest.in_text);

  function chunk(number) {
    const found = chunks.get(number) ?? load("text", number).then(() => {
      const columns = arrived.get(number);
      arrived.delete(number);
      return columns;
    });
    chunks.delete(number);
    chunks.set(number, found);
    found.catch(() => chunks.delete(number));
    if (chunks.size > kept) chunks.delete(chunks.keys().next().value);
    return found;
  }

  // The lines of a column are split on first use.
  function lines(columns, name) {
    columns.split ??= {};
    columns.split[name] ??= columns[name] === "" && columns.examples > 1 ? [] : columns[name].split("\n");
    return columns.split[name];
  }

  async function example(number) {
    const columns = await chunk(Math.floor(number / manifest.in_text));
    const at = number % manifest.in_text;
    const tags = [];
    for (const tag of columns.tags) {
      tag.decoded ??= decoded(tag.codes);
      if (tag.decoded[at] > 0) tags.push([tag.name, tag.values[tag.decoded[at] - 1]]);
    }
    return {
      number,
      id: lines(columns, "id")[at],
      premise: lines(columns, "premise")[at],
      hypothesis: lines(columns, "hypothesis")[at],
      set: value(facet.get("set"), facet.get("set").column[number]),
      gold: value(facet.get("gold"), facet.get("gold").column[number]),
      models: predictions(number, (lines(columns, "scores")[at] ?? "").split("|")),
      changes: columns.changes.filter((change) => change[0] === at),
      misled: columns.misled.find((misled) => misled.example === at) ?? null,
      tags,
      original: parents[number] > 0 ? parents[number] - 1 : null,
    };
  }

  // Every model's prediction for an example and its original.
  function predictions(number, scores) {
    const name = (facetName, code) => value(facet.get(facetName), code);
    return manifest.models.map((model, at) => {
      const outcome = outcomes[at][number];
      return {
        model,
        prediction: name("prediction", outcome & 7),
        right: name("right", (outcome >> 3) & 3),
        changed: name("changed", outcome >> 5),
        original: parents[number] > 0 ? name("prediction", outcomes[at][parents[number] - 1] & 7) : null,
        scores: scores[at] ? scores[at].split(" ").map(Number) : null,
      };
    });
  }

  // The examples that match all chosen codes (a Map by name) and the search, and for each filter, how many examples each of its values
  // would give with the other filters unchanged.
  function select(choices, found) {
    const counts = new Map(facets.map((entry) => [entry.name, new Uint32Array(entry.values.length + 1)]));
    const columns = facets.map((entry) => entry.column);
    const tallies = facets.map((entry) => counts.get(entry.name));
    const active = facets.flatMap((entry, at) => (choices.has(entry.name) ? [at] : []));
    const codes = active.map((at) => choices.get(facets[at].name));
    const hits = new Uint32Array(manifest.examples);
    let count = 0;
    for (let number = 0; number < manifest.examples; number++) {
      if (found && found[number] === 0) continue;
      let misses = 0;
      let missed = -1;
      for (let at = 0; at < active.length && misses < 2; at++) {
        if (columns[active[at]][number] !== codes[at]) { misses++; missed = active[at]; }
      }
      if (misses === 0) {
        hits[count++] = number;
        for (let at = 0; at < columns.length; at++) tallies[at][columns[at][number]]++;
      } else if (misses === 1) {
        tallies[missed][columns[missed][number]]++;
      }
    }
    return { hits: hits.subarray(0, count), counts };
  }

  const words = (query) => query.toLowerCase().split(/\s+/).filter(Boolean);

  // Marks in `found` the examples that contain all words, chunk by chunk; `progress` receives the progress and may stop the search by
  // returning false.
  async function search(query, found, progress) {
    const wanted = words(query);
    const ahead = 6;
    for (let number = 0; number < chunkCount; number++) {
      for (let next = number; next < Math.min(number + ahead, chunkCount); next++) chunk(next).catch(() => {});
      const columns = await chunk(number);
      const [ids, premises, hypotheses] = ["id", "premise", "hypothesis"].map((name) => columns[name].toLowerCase().split("\n"));
      const start = number * manifest.in_text;
      for (let at = 0; at < columns.examples; at++) {
        const all = wanted.every((word) => premises[at].includes(word) || hypotheses[at].includes(word) || ids[at].includes(word));
        if (all) found[start + at] = 1;
      }
      if (progress((number + 1) / chunkCount) === false) return;
    }
  }

  return { manifest, facets, facet, value, code, none, open, lookAt, index, text, example, select, search, words };
})();
