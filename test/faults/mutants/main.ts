import { parseArgs } from "node:util";
import { annotatedNames, annotatedTarget } from "./annotated-target.js";
import { cloudCompute } from "./cloud-compute.js";
import { createMutants, sampleMutants } from "./create-mutants.js";
import { formatMutants, formatMutantsJson } from "./format-mutants.js";
import { mutantKinds } from "./mutant.js";
import { runMutants } from "./run-mutants.js";

/** Runs `npm run faults -- --mutants`. Returns the exit code. */
export async function runMutantsCommand(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      mutants: { type: "boolean" },
      kind: { type: "string", multiple: true, default: [] },
      only: { type: "string", multiple: true, default: [] },
      seed: { type: "string", default: "1" },
      limit: { type: "string", default: "Infinity" },
      json: { type: "boolean", default: false },
      list: { type: "boolean", default: false },
      description: { type: "string" },
    },
  });
  const { kind: kinds, only, json, list, description } = values;
  const annotated = annotatedNames.find((each) => each === description);
  const unknown = kinds.find((each) => !mutantKinds.some((kind) => kind === each));
  if (unknown !== undefined) {
    process.stderr.write(`Unknown kind ${unknown}. Known kinds: ${mutantKinds.join(", ")}.\n`);
    return 2;
  }
  const seed = Number(values.seed);
  if (description !== undefined && annotated === undefined) {
    process.stderr.write(`Unknown description ${description}. Known descriptions: ${annotatedNames.join(", ")}.\n`);
    return 2;
  }
  const target = annotated === undefined ? await cloudCompute() : await annotatedTarget(annotated);
  const all = createMutants(target.api, seed).filter(
    ({ id, kind }) =>
      (kinds.length === 0 || kinds.includes(kind)) && (only.length === 0 || only.some((each) => id.includes(each))),
  );
  const mutants = sampleMutants(all, { limit: Number(values.limit), seed });
  if (list) {
    for (const { id, requirements } of mutants) process.stdout.write(`${id}  ${requirements.join(" ")}\n`);
    return 0;
  }
  process.stderr.write(`${mutants.length} of ${all.length} mutants\n`);
  const report = await runMutants(target, mutants, {
    seed,
    onOutcome: ({ mutant, status, applied, cases, durationSeconds, error }, done) => {
      const what =
        status === "missed"
          ? `MISSED${applied ? "" : ", not applied,"} ${mutant.requirements.join(" ")}${error === undefined ? "" : ` (${error})`}`
          : status;
      process.stderr.write(
        `${done}/${mutants.length}  ${durationSeconds.toFixed(2)} s  ${cases} cases  ${mutant.id}  ${what}\n`,
      );
    },
  });
  process.stdout.write(json ? formatMutantsJson(report) : formatMutants(report));
  return report.alarms.length === 0 ? 0 : 1;
}
