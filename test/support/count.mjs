// Counts the work of generation: count.mjs JSON, a list of {files, only}, where `only` names artifacts, and is empty for all; prints a list for each,
// with how often the most frequent block of each function of the generator ran for each file, by the function's file and place, as JSON. Node counts
// reliably where it optimizes nothing: node --no-opt.
import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";

const session = new Session();
session.connect();
await session.post("Profiler.enable");
// Blocks are counted only in modules that are loaded later.
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

const { artifactKinds } = await import("../../packages/plumbline/dist/artifact-kinds.js");
const { readConfig } = await import("../../packages/plumbline/dist/config/config.js");
const { runPipeline } = await import("../../packages/plumbline/dist/pipeline.js");
const { lint } = await import("@plumbline/kit/openapi/lint");
const { comparePairs } = await import("./compare-pairs.mjs");

/** The packages of the generator. */
const generator = new URL("../../", import.meta.url).href;
const planted = new URL("./compare-pairs.mjs", import.meta.url).href;

const texts = new Map();
const countsOfLists = [];
for (const { files, only } of JSON.parse(process.argv[2])) {
  const counts = [];
  // The first round loads modules on demand.
  for (const file of [files[0], ...files]) counts.push(await countsOf(file, only));
  countsOfLists.push(counts.slice(1));
}
console.log(JSON.stringify(countsOfLists));

async function countsOf(file, only) {
  await generate(file, only);
  const { result } = await session.post("Profiler.takePreciseCoverage");
  return Object.fromEntries(
    result.flatMap(({ url, functions }) => {
      const name = nameOf(url);
      if (name === undefined) return [];
      return functions.map(({ functionName, ranges }) => [
        `${sourceOf(name, ranges[0].startOffset)} ${ranges[0].startOffset} ${functionName}`,
        Math.max(...ranges.map(({ count }) => count)),
      ]);
    }),
  );
}

function nameOf(url) {
  if (url === planted) return "compare-pairs.mjs";
  const name = url.startsWith(generator) ? url.slice(generator.length) : "";
  return /^(packages\/[^/]+|generators)\/dist\//.test(name) ? name : undefined;
}

/** The source of a function in a bundle, which has the name of each source before its code. */
function sourceOf(name, offset) {
  if (name === "compare-pairs.mjs") return name;
  if (!texts.has(name)) texts.set(name, readFileSync(new URL(name, generator), "utf8"));
  const [source] = /(?<=^\/\/ )src\/\S+\.ts$/m.exec(lastMarker(texts.get(name), offset)) ?? [];
  return source === undefined ? name : name.replace(/dist\/.*/, source);
}

function lastMarker(text, offset) {
  const start = text.lastIndexOf("\n// src/", offset) + 1;
  return text.slice(start, text.indexOf("\n", start));
}

async function generate(file, only) {
  const config = await readConfig({
    spec: file,
    out: "unused",
    from: "/",
    artifactKinds,
  });
  const { results, rejected } = await runPipeline(config, { only, startLinting });
  if (rejected.length > 0) throw new Error(JSON.stringify(rejected));
  for (const { api } of results) comparePairs(api.operations);
}

/** In this thread: others are not counted. */
function startLinting(jobs) {
  return { diagnostics: jobs.map(({ file, ...options }) => lint(file, options)), stop: async () => undefined };
}
