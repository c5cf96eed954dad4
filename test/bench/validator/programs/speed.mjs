// speed.mjs TURNS JUDGE…: prints the microseconds of a judgement, by kind of body and judge, as JSON.
import { faulty, valid } from "./bodies.mjs";

const [turns = "1", ...names] = process.argv.slice(2);
const judges = [];
for (const name of names) judges.push({ name, ...(await import(`./judge-${name}.mjs`)) });

// Short turns, so that what else the machine does meets all alike; the first ones are for the compiler of Node.
const warmUp = 30;
const isSlow = new Set(["express-openapi-validator", "openapi-backend"]);
const found = {};
for (const [kind, { body, faults }] of Object.entries({
  valid: { body: valid, faults: 0 },
  faulty: { body: faulty, faults: 5 },
})) {
  const text = JSON.stringify(body);
  const subjects = [];
  for (const { name, judge } of judges) {
    // Their own, since some write defaults into what they judge; several, as no two requests share one.
    const values = Array.from({ length: 16 }, () => JSON.parse(text));
    const said = await judge(values[0]);
    // Fastify stops at the first fault.
    if (said !== faults && !(said === 1 && name === "fastify"))
      throw new Error(`${name} finds ${said} faults of ${faults}.`);
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
