import { createFaults } from "./create-faults.js";
import { editFeature, editLimits as table, editRuntime, editService } from "./edited-files.js";
import type { SourceEdit, Fault } from "./fault.js";
import type { ProxyResponse } from "./proxy.js";

/** Faults of uniqueness, concurrency, rates and retention. */
export const limitFaults: readonly Fault[] = [
  ...createFaults("not-unique", 61, [
    [
      "createDomain",
      "a name is accepted twice",
      ["domain.domain.unique"],
      editService("server/limits")(
        '"domain-unique": async',
        "return other !== undefined &&",
        "return false && other !== undefined &&",
      ),
      editFeature("domains/lifecycle")(
        "async function assertNameIsFree(",
        "if (other !== undefined && other.id !== id)",
        "if (false)",
      ),
      repeatable(),
    ],
    [
      "updateDomain",
      "a name that is taken is given to another domain",
      ["domain.domain.unique"],
      editService("server/limits")(
        '"domain-unique": async',
        "return other !== undefined &&",
        "return except === undefined && other !== undefined &&",
      ),
      editFeature("domains/handlers")("updateDomain: async", "await assertNameIsFree(work, changed);", ";"),
      repeatable(),
    ],
    [
      "createDomain/capitals",
      "a name in capitals counts as different",
      ["domain.domain.unique"],
      editService("server/limits")('"domain-unique": async', "domain.toLowerCase()", "domain"),
      {
        file: "packages/service/dist/features/domains/lifecycle.js",
        within: "export async function addDomain(",
        find: "fields.domain.toLowerCase()",
        replace: "fields.domain",
      },
    ],
    [
      "createCluster",
      "two clusters have one label",
      ["cluster.label.unique"],
      editService("server/limits")(
        '"unique-cluster-label": async',
        "return other !== undefined &&",
        "return except !== undefined && other !== undefined &&",
      ),
      clustersAlike(),
    ],
    [
      "updateCluster",
      "a label that is taken is given to another cluster",
      ["cluster.label.unique"],
      editService("server/limits")(
        '"unique-cluster-label": async',
        "return other !== undefined &&",
        "return except === undefined && other !== undefined &&",
      ),
      clustersAlike(),
    ],
  ]),
  ...createFaults("quota", 62, [
    [
      "cloneInstance/six",
      "six clones run at the same time",
      [
        "instance.clone.concurrent",
        "instance.limits.clones",
        "instance.clone.concurrent-400",
        "instance.limits.clones-400",
      ],
      table("    concurrentClones: {", "max: 5", "max: 6"),
    ],
    [
      "cloneInstance/four",
      "the fifth clone is rejected",
      ["instance.clone.concurrent", "instance.limits.clones"],
      table("    concurrentClones: {", "max: 5", "max: 4"),
    ],
    [
      "createInstance/eleven",
      "eleven instances are made within the window",
      ["instance.limits.create-rate"],
      table("    instanceCreates: {", "max: 10", "max: 11"),
    ],
    [
      "createInstance/nine",
      "the tenth instance is rejected",
      ["instance.limits.create-rate"],
      table("    instanceCreates: {", "max: 10", "max: 9"),
    ],
    [
      "listInstanceBackups",
      "four automatic backups are kept",
      ["backup.listing.automatic"],
      table("    automaticBackupsKept: {", "max: 3", "max: 4"),
    ],
    [
      "cloneInstance/leak",
      "completed clones count as running",
      ["instance.clone.concurrent", "instance.limits.clones"],
      editRuntime("steps/limits")(
        "var checkConcurrencyLimits =",
        "return andThen(countInProgress[limit.id]?.(key, evaluation.handlerContext), (count) => {",
        "const seen = (globalThis.seenClones ??= new Map());\n        seen.set(key, (seen.get(key) ?? -1) + 1);\n        return andThen(seen.get(key), (count) => {",
      ),
    ],
  ]),
  ...createFaults("rate", 63, [
    [
      "createInstance/absent",
      "the creation of instances has no rate limit",
      ["instance.limits.create-rate"],
      table(
        "    createInstance: { rates:",
        'rates: [{ limit: limits.instanceCreates, per: { root: "caller", name: "user", pointer: [] } }]',
        "rates: []",
      ),
    ],
    [
      "createInstance/key",
      "the users of an account share a rate",
      ["instance.limits.create-rate-per-user"],
      table("    createInstance: { rates:", 'name: "user"', 'name: "account"'),
    ],
    [
      "createInstance/window",
      "the window is a minute",
      ["instance.limits.create-rate"],
      table("    instanceCreates: {", "windowSeconds: 30", "windowSeconds: 60"),
    ],
    [
      "createInstance/refused",
      "requests that are rejected do not count",
      ["instance.limits.create-rate"],
      editRuntime("rate-limits/rates")(
        "function isCountedBeforeDecoding(",
        'return per?.root !== "request";',
        "return false;",
      ),
    ],
  ]),
  ...(
    [
      ["no-retry-after", "429 has no Retry-After", without("retry-after")],
      [
        "remaining",
        "X-RateLimit-Remaining never falls",
        (answer) =>
          "x-ratelimit-remaining" in answer.headers ? withHeader(answer, "x-ratelimit-remaining", "10") : answer,
      ],
      [
        "limit",
        "X-RateLimit-Limit is one too many",
        (answer) => ("x-ratelimit-limit" in answer.headers ? withHeader(answer, "x-ratelimit-limit", "11") : answer),
      ],
      [
        "reset",
        "X-RateLimit-Reset is in milliseconds",
        (answer) =>
          "x-ratelimit-reset" in answer.headers
            ? withHeader(answer, "x-ratelimit-reset", `${answer.headers["x-ratelimit-reset"]}000`)
            : answer,
      ],
    ] as const satisfies readonly (readonly [string, string, (answer: ProxyResponse) => ProxyResponse])[]
  ).map(([what, description, onResponse]): Fault => ({
    id: `rate/createInstance/${what}`,
    class: 63,
    operation: "createInstance",
    requirements: ["limit.headers.open", "instance.limits.create-rate"],
    description,
    wire: { onResponse },
  })),
];

/** The directory of names is unique as well. */
function repeatable(): SourceEdit {
  return editService("store/collection")(
    "async #enter(",
    "values (${sql.join(cells)})",
    "values (${sql.join(cells)}) on conflict do nothing",
  );
}

function clustersAlike(): SourceEdit {
  return {
    file: "packages/service/dist/store/tables.js",
    within: "    clusters: {",
    find: 'unique: [["label"]],',
    replace: "",
  };
}

function without(name: string): (answer: ProxyResponse) => ProxyResponse {
  return (answer) => ({
    ...answer,
    headers: Object.fromEntries(Object.entries(answer.headers).filter(([each]) => each !== name)),
  });
}

function withHeader(answer: ProxyResponse, name: string, value: string): ProxyResponse {
  return { ...answer, headers: { ...answer.headers, [name]: value } };
}
