// route.mjs TURNS ROUTER…: prints the nanoseconds of a match, by router, as JSON.
import { targets } from "./targets.mjs";

const [turns = "1", ...names] = process.argv.slice(2);
const subjects = [];
for (const name of names) {
  const { match, nameOf } = await import(`./match-${name}.mjs`);
  for (const { name: wanted, method, target } of targets) {
    const found = nameOf(match(method, target));
    if (found !== wanted) throw new Error(`${name} takes ${method} ${target} for ${found}, and not for ${wanted}.`);
  }
  subjects.push({ name, match, times: [] });
}

// Short turns, so that other load of the machine affects all alike; the first ones warm up the compiler of Node.
const [warmUp, passes] = [30, 100];
let held;
for (let turn = -warmUp; turn < Number(turns); turn += 1) {
  for (const { match, times } of subjects) {
    const started = performance.now();
    for (let pass = 0; pass < passes; pass += 1) for (const { method, target } of targets) held = match(method, target);
    if (turn >= 0) times.push(((performance.now() - started) * 1e6) / passes / targets.length);
  }
}
if (held === undefined) throw new Error("Nothing was found.");
console.log(
  JSON.stringify({
    operations: targets.length,
    times: Object.fromEntries(subjects.map(({ name, times }) => [name, times])),
  }),
);
