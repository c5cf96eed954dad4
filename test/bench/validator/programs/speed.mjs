// speed.mjs TURNS VALIDATOR…: prints the microseconds of a validation, by kind of body and validator, as JSON.
import { faulty, valid } from "./bodies.mjs";

const [turns = "1", ...names] = process.argv.slice(2);
const judges = [];
for (const name of names) judges.push({ name, ...(await import(`./judge-${name}.mjs`)) });

// Short turns, so that other load of the machine affects all alike; the first ones warm up the compiler of Node.
const warmUp = 30;
const isSlow = new Set(["express-openapi-validator", "openapi-backend"]);
const found = {};
for (const [kind, { body, issues }] of Object.entries({
  valid: { body: valid, issues: 0 },
  faulty: { body: faulty, issues: 5 },
})) {
  const text = JSON.stringify(body);
  const subjects = [];
  for (const { name, judge } of judges) {
    // Separate values, since some validators write defaults into them; several, as requests do not share bodies.
    const values = Array.from({ length: 16 }, () => JSON.parse(text));
    const said = await judge(values[0]);
    // Fastify stops at the first issue.
    if (said !== issues && !(said === 1 && name === "fastify"))
      throw new Error(`${name} finds ${said} issues of ${issues}.`);
    const isAsync = judge(values[0]) instanceof Promise;
    const calls = isSlow.has(name) ? 32 : 640;
    subjects.push({ name, judge, values, isAsync, calls, times: [] });
  }
  for (let turn = -warmUp; turn < Number(turns); turn += 1) {
    for (const subject of subjects) {
      const taken = subject.isAsync ? await timeLater(subject) : time(subject);
      if (turn >= 0) subject.times.push((taken * 1000) / subject.calls);
    }
  }
  found[kind] = Object.fromEntries(subjects.map(({ name, times }) => [name, times]));
}
console.log(JSON.stringify(found));

function time({ judge, values, calls }) {
  const started = performance.now();
  for (let call = 0; call < calls; call += 1) judge(values[call % 16]);
  return performance.now() - started;
}

async function timeLater({ judge, values, calls }) {
  const started = performance.now();
  for (let call = 0; call < calls; call += 1) await judge(values[call % 16]);
  return performance.now() - started;
}
