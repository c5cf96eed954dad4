import { test } from "vitest";
import { proveHandlers } from "./support/handlers/prove-handlers.js";
test("x", { timeout: 600_000 }, async () => {
  const counts: Record<string, number> = {};
  let bad = 0, changed = 0;
  const from = Number(process.env.FROM ?? 0), to = Number(process.env.TO ?? 20);
  const begin = performance.now();
  for (let i = from; i < to; i++) {
    try {
      const { edits, errors, isChanged } = await proveHandlers(i);
      for (const e of edits) counts[e] = (counts[e] ?? 0) + 1;
      if (isChanged) changed++;
      if (errors.length > 0) { bad++; console.log(i, edits, errors.slice(0, 6).join("\n")); }
    } catch (e) { bad++; console.log(i, e); }
  }
  console.log(counts, { bad, changed }, performance.now() - begin);
});
