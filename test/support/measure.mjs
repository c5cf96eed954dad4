// Measures the cost of generation: measure.mjs FILE…; prints for each description the seconds of processor time, the least of
// several times, as JSON. All in one process that has warmed up. SLOW=1 adds work for every pair of operations, and
// generates the client alone, so that this is soon seen.
import { artifactKinds } from "../../packages/plumbline/dist/artifact-kinds.js";
import { readConfig } from "../../packages/plumbline/dist/config/config.js";
import { runPipeline } from "../../packages/plumbline/dist/pipeline.js";

const files = process.argv.slice(2);
const isSlow = process.env.SLOW === "1";

async function generate(file) {
  const config = await readConfig({
    spec: file,
    out: "unused",
    from: "/",
    artifactKinds,
  });
  const { results, rejected } = await runPipeline(config, { only: isSlow ? ["client"] : [] });
  if (rejected.length > 0) throw new Error(JSON.stringify(rejected));
  if (isSlow) for (const { api } of results) comparePairs(api.operations);
}

function comparePairs(operations) {
  let same = 0;
  for (const one of operations) {
    const sought = JSON.stringify(one.responses);
    for (const another of [...operations, ...operations, ...operations])
      same += JSON.stringify(another.responses) === sought;
  }
  return same;
}

async function cost(file) {
  const before = process.cpuUsage();
  await generate(file);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const costs = files.map(() => Infinity);
// The first time round warms up. Small ones vary most and cost least, so they have more turns.
for (const round of [0, 1, 2, 3]) {
  for (const [index, file] of files.entries()) {
    const isLast = index === files.length - 1;
    if (isLast && round > (isSlow ? 0 : 1)) continue;
    const found = await cost(file);
    if (round > 0 || isLast) costs[index] = Math.min(costs[index], found);
  }
}
console.log(JSON.stringify(costs));
