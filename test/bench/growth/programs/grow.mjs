// grow.mjs: prints the nanoseconds of a match by number of routes, and of a validated byte by size of body, as JSON.
import { buildRoutes, namesIn } from "@plumbline/server-runtime/validator";
import { validator } from "./things.mjs";

const routeCounts = [100, 1000, 10_000];
const itemCounts = [100, 1000];
const rounds = Number(process.argv[2]);

/** Nanoseconds of a unit: of the fastest round, since interruptions only make one slower. */
async function fastest(units, run) {
  let least = Infinity;
  // The first round compiles.
  for (let round = 0; round <= rounds; round += 1) {
    const started = performance.now();
    await run();
    const spent = performance.now() - started;
    if (round > 0) least = Math.min(least, spent);
  }
  return (least * 1e6) / units;
}

const matches = 200_000;

async function ofRoutes(count) {
  const paths = Array.from({ length: count / 2 }, (_, index) => `/areas${index % 50}/things${index}`);
  const routes = paths.flatMap((path) =>
    [path, `${path}/{id}`].map((each) => ({
      definition: { name: each, method: "GET", path: each },
      names: namesIn(each),
    })),
  );
  const table = buildRoutes(routes, ["/v1"]);
  const targets = paths.map((path) => `/v1${path}/7`);
  return fastest(matches, () => {
    for (let index = 0; index < matches; index += 1) {
      const found = table.find("GET", targets[(index * 7919) % targets.length]);
      if (found?.kind !== "route") throw new Error("No route was found.");
    }
  });
}

async function ofBody(items) {
  const things = Array.from({ length: items }, (_, id) => ({
    id,
    name: `thing-${id}`,
    kind: "b",
    tags: ["x", `y${id}`],
  }));
  const body = JSON.stringify(things);
  const passes = Math.ceil(itemCounts.at(-1) / items);
  const validate = validator({ basePath: "" })(() => new Response());
  return fastest(passes * body.length, async () => {
    for (let pass = 0; pass < passes; pass += 1) {
      const headers = { "Content-Type": "application/json" };
      const response = await validate(new Request("http://localhost/things", { method: "POST", headers, body }));
      if (!response.ok) throw new Error(`A valid body got ${response.status}: ${await response.text()}`);
    }
  });
}

const routes = [];
for (const count of routeCounts) routes.push(await ofRoutes(count));
const bytes = [];
for (const items of itemCounts) bytes.push(await ofBody(items));
console.log(JSON.stringify({ routeCounts, routes, itemCounts, bytes }));
