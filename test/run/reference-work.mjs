// A fixed piece of work, done by two threads at once as tests are. Prints the seconds of processor time that one of them takes.
import { isMainThread, Worker } from "node:worker_threads";

if (isMainThread) {
  const threads = [1, 2].map(() => new Worker(new URL(import.meta.url)));
  await Promise.all(threads.map((thread) => new Promise((resolve) => thread.once("exit", resolve))));
  const { user, system } = process.cpuUsage();
  console.log((user + system) / threads.length / 1e6);
} else {
  for (let round = 0; round < 24; round++) work(round);
}

/** What tests and generators spend their time with: objects, JSON, maps, sorting, regular expressions and closures. */
function work(/** @type {number} */ round) {
  const items = Array.from({ length: 5000 }, (_, index) => ({
    id: (index * 7919 + round) % 10_007,
    name: `item-${((index * 31) % 977).toString(36)}`,
    tags: [`tag-${index % 17}`, `tag-${index % 23}`],
  }));
  const parsed = /** @type {typeof items} */ (JSON.parse(JSON.stringify(items)));
  const byName = new Map(parsed.map((item) => [item.name, parsed.filter(({ id }) => id === item.id % 50)]));
  const sorted = parsed.toSorted((a, b) => a.name.localeCompare(b.name) || a.id - b.id);
  const text = sorted.map(({ name, tags }) => `${name}: ${tags.join(", ")}`).join("\n");
  return text.replaceAll(/tag-(\d+)/g, (_, digits) => `<${digits}>`).split(/[\s,]+/).length + byName.size;
}
