import { createFaults } from "./create-faults.js";
import { editFeature } from "./edited-files.js";
import type { Fault, WireChange } from "./fault.js";
import type { ProxyRequest } from "./proxy.js";

/** Faults that spare the first item of a list, and show in the second one only. */
export const laterItemFaults: readonly Fault[] = [
  ...createFaults("later-item", 47, [
    [
      "createCluster/node_pools.1.tags",
      "the tags of the second pool are not stored",
      ["pool.tags.type", "cluster.pools.type"],
      editFeature("kube/handlers")(
        "createCluster: async",
        "addPool(work, cluster, { pool,",
        "addPool(work, cluster, { pool: index === 0 ? pool : { ...pool, tags: [] },",
      ),
    ],
    [
      "createCluster/node_pools.1.disks",
      "the disks of the second pool are not stored",
      ["pool.disks.type", "cluster.pools.type"],
      editFeature("kube/handlers")(
        "createCluster: async",
        "addPool(work, cluster, { pool,",
        "addPool(work, cluster, { pool: index === 0 ? pool : { ...pool, disks: [] },",
      ),
    ],
    [
      "answerSecurityQuestions/security_questions.1.response",
      "the second answer is stored as the first one",
      ["questions.overwritten", "question.answer.reply"],
      editFeature("profile/handlers")(
        "answerSecurityQuestions: async",
        "[question_id, response]));",
        "[question_id, question_id === sent[1]?.question_id ? sent[0].response : response]));",
      ),
    ],
    [
      "createInstanceConfig/interfaces.1.label",
      "the label of the second interface is lost",
      ["config.interfaces", "config.create.interfaces", "interface.label"],
      editFeature("configs/lifecycle")(
        "export function interfacesOf(",
        "interfaces.map(({ purpose, label, ipam_address }) =>",
        "interfaces.map(({ purpose, label, ipam_address }, index) => index > 0 ? { purpose, label: null, ipam_address: null } :",
      ),
    ],
  ]),
  ...unchecked("createCluster", "node_pools", { type: "g6-standard-1", count: 1 }, [
    "pool.count.max",
    "pool.count.min",
    "pool.count.type",
    "pool.type.type",
    "pool.autoscaler.limit",
    "cluster.pools.type",
  ]),
  ...unchecked("createClusterPool", "disks", { size: 1, type: "raw" }, [
    "pool.disks.format",
    "pool.disks.size",
    "pool.disks.type",
  ]),
  ...unchecked("createInstanceConfig", "interfaces", { purpose: "public" }, [
    "config.interfaces",
    "config.create.interfaces",
    "interface.purpose",
    "interface.purpose.values",
  ]),
  ...unchecked("createDomain", "master_ips", "192.0.2.10", ["domain.master_ips.type", "domain.master_ips.slave"]),
  ...unchecked("updateDomain", "axfr_ips", "192.0.2.10", ["domain.axfr_ips.type", "domain.axfr_ips.purpose"]),
  ...unchecked("createInstance", "tags", "replaced-tag", ["instance.create.tags", "instance.tags.type"]),
];

/** The server replaces an invalid second item by a valid one, as if it had not looked at it. */
function unchecked(
  operation: string,
  field: string,
  valid: unknown,
  requirements: readonly string[],
): readonly Fault[] {
  const isOdd = (item: unknown): boolean => JSON.stringify(shapeOf(item)) !== JSON.stringify(shapeOf(valid));
  const wire: WireChange = {
    onRequest: (asked): ProxyRequest => {
      const body = parsed(asked.body);
      const list = body?.[field];
      if (body === undefined || !Array.isArray(list) || list.length < 2) return asked;
      const [first, ...others] = list as readonly unknown[];
      const fixed = others.map((each) => (typeof valid === "object" || isOdd(each) || hasOddText(each) ? valid : each));
      return { ...asked, body: JSON.stringify({ ...body, [field]: [first, ...fixed] }) };
    },
  };
  return [
    {
      id: `later-item/${operation}/${field}.1-unchecked`,
      class: 14,
      operation,
      requirements,
      description: `the items of ${field} after the first are not checked`,
      wire,
    },
  ];
}

function shapeOf(item: unknown): unknown {
  return typeof item;
}

function hasOddText(item: unknown): boolean {
  return typeof item === "string" && !/^[\w.:-]{3,45}$/.test(item);
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
