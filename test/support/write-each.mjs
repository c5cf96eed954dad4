// Writes packages that were planned before, as the command does after planning them: write-each.mjs JSON, a list of {plan, out, folder}, where
// `plan` is a file of packages whose folders count from `out`; prints the code, output and errors of each as JSON.
import { readFileSync } from "node:fs";
import path from "node:path";
import { toCommandFailure } from "../../packages/plumbline/dist/commands/command-failure.js";
import { writePackages } from "../../packages/plumbline/dist/write/writer.js";

const results = [];
for (const { plan, out, folder } of JSON.parse(process.argv[2])) {
  const packages = JSON.parse(readFileSync(plan, "utf8"));
  const placed = packages.map((each) => ({ ...each, folder: path.join(folder, out, each.folder) }));
  results.push(
    await writePackages(...placed).then(
      () => ({ code: 0, out: "", error: "" }),
      (error) => {
        const failure = toCommandFailure(error, folder);
        if (failure === undefined) throw error;
        return { code: 1, out: "", error: `${failure.message}\n` };
      },
    ),
  );
}
console.log(JSON.stringify(results));
