import { createFaults } from "./create-faults.js";
import { editFeature, editValues } from "./edited-files.js";
import type { Fault } from "./fault.js";
import { withBody, type ProxyResponse } from "./proxy.js";

/** Faults of defaults and of created values that only another kind of object, a nested field or a list shows. */
export const defaultValueFaults: readonly Fault[] = [...nested(), ...objects(), ...listed()];

function nested(): readonly Fault[] {
  const bound = (operation: string, field: "min" | "max", pointer: string, value: number) =>
    editValues(
      `    ${operation}: [`,
      `pointer: [${pointer}"autoscaler", "${field}"],\n            rules: [{ absent: true, set: { kind: "from", from: { root: "relative", part: "2", pointer: ["count"] } } }],`,
      `pointer: [${pointer}"autoscaler", "${field}"],\n            rules: [{ absent: true, set: { kind: "value", value: ${value} } }],`,
    );
  return createFaults("default", 29, [
    [
      "createClusterPool/autoscaler.max",
      "the upper bound of an autoscaler is 100 by default",
      ["pool.autoscaler.max.default"],
      bound("createClusterPool", "max", "", 100),
    ],
    [
      "createClusterPool/autoscaler.min",
      "the lower bound of an autoscaler is 1 by default",
      ["pool.autoscaler.min.default"],
      bound("createClusterPool", "min", "", 1),
    ],
    [
      "createCluster/node_pools.autoscaler.min",
      "the lower bound of the autoscaler of a cluster's pool is 1 by default",
      ["pool.autoscaler.min.default"],
      bound("createCluster", "min", '"node_pools", "*", ', 1),
    ],
  ]);
}

function objects(): readonly Fault[] {
  const created = "export async function newInstance(";
  return createFaults("default", 29, [
    [
      "createInstance/alerts.cpu",
      "the alert for the processor is 90 for any number of cores",
      ["instance.alerts.cpu-default", "instance.alerts.cpu"],
      editFeature("instances/new-instance")(created, "cpu: 90 * vcpus", "cpu: 90"),
    ],
    [
      "createInstance/alerts.network_in",
      "the alert for incoming traffic is off by default",
      ["instance.alerts.network-in"],
      editFeature("instances/new-instance")(created, "network_in: 10", "network_in: 0"),
    ],
    [
      "createInstance/watchdog_enabled",
      "the watchdog is off by default",
      ["instance.watchdog.type"],
      editFeature("instances/new-instance")(created, "watchdog_enabled: true", "watchdog_enabled: false"),
    ],
    [
      "createDomain/status-of-slaves",
      "a slave domain is disabled by default",
      ["domain.status.default", "domain.moves.default"],
      editFeature("domains/handlers")(
        "createDomain: async",
        "status: begins.to",
        'status: body.type === "slave" ? "disabled" : begins.to',
      ),
    ],
    [
      "createDomainRecord/weight",
      "records that have no weight show 1",
      ["records.request.fields", "record.weight.srv"],
      editFeature("domains/handlers")(
        "createDomainRecord: async",
        "            weight,\n",
        '            weight: type === "TXT" ? 1 : weight,\n',
      ),
    ],
    [
      "cloneInstance/type",
      "a clone has the smallest plan by default",
      ["instance.clone.type"],
      editFeature("instances/clones")(
        "async function cloneMakesInstance(",
        'refs.type ?? typesById.get(source.type ?? "")',
        'refs.type ?? typesById.get("g6-nanode-1")',
      ),
    ],
    [
      "createInstanceConfig/memory_limit-of-transfer",
      "the limit is the transfer of the plan by default",
      ["config.memory-limit.default", "config.create.memory-limit", "config.memory-limit"],
      editValues("    createInstanceConfig: [", 'pointer: ["specs", "memory"]', 'pointer: ["specs", "transfer"]'),
    ],
  ]);
}

function listed(): readonly Fault[] {
  const rows: readonly (readonly [string, string, Readonly<Record<string, unknown>>, readonly string[]])[] = [
    [
      "listInstances",
      "alerts",
      { alerts: { cpu: 90, io: 0, network_in: 10, network_out: 10, transfer_quota: 80 } },
      ["instance.list.operation", "instance.list.envelope"],
    ],
    ["listDomains", "soa_email", { soa_email: "" }, ["domains.list", "domains.list.response"]],
    ["listDomainRecords", "ttl_sec", { ttl_sec: 0 }, ["records.list", "records.list.response"]],
    [
      "listClusters",
      "control_plane",
      { control_plane: { high_availability: false } },
      ["cluster.list.operation", "cluster.list.response"],
    ],
    ["listClusterPools", "disks", { disks: [] }, ["pool.list.operation", "pool.list.response"]],
    ["listInstanceConfigs", "run_level", { run_level: "default" }, ["config.list.operation", "config.list.response"]],
    ["listImages", "description", { description: null }, ["image.list.operation", "image.list.response"]],
    ["listTokens", "scopes", { scopes: "*" }, ["token.list", "token.list.reply"]],
  ];
  return rows.map(([operation, field, shown, requirements]) => ({
    id: `listed/${operation}/${field}`,
    class: 29,
    operation,
    requirements,
    description: `the list shows the default of ${field} in place of the given value`,
    wire: {
      onResponse: (answer): ProxyResponse => (answer.status === 200 ? withItems(answer, shown) : answer),
    },
  }));
}

function withItems(answer: ProxyResponse, shown: Readonly<Record<string, unknown>>): ProxyResponse {
  const page = JSON.parse(answer.body) as { readonly data: readonly object[] };
  return withBody(answer, { ...page, data: page.data.map((each) => ({ ...each, ...shown })) });
}
