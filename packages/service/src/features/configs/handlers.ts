import { errors, filterable, page, type Config, type ConfigDevicesCreate } from "@cloud-compute/server";
import { callerOf } from "../../access/caller.js";
import type { TagHandlers } from "../../context.js";
import { instanceEntity } from "../events/lifecycle.js";
import { fillSlots, hasVlan, interfacesOf, plainConfig } from "./lifecycle.js";

export const configHandlers: TagHandlers<"listInstanceConfigs" | "createInstanceConfig"> = {
  listInstanceConfigs: async ({ query, headers, target }, { work }) => {
    const listQuery = { query, filter: headers["X-Filter"], filterable: filterable.listInstanceConfigs };
    const { items, total } = await work.tx.configs.list({ instance: target.id }, listQuery);
    return { status: 200, body: page(query, items, total) };
  },

  createInstanceConfig: async ({ target, body }, context) => {
    const { work } = context;
    const interfaces = interfacesOf(body.interfaces ?? []);
    const { capabilities } = await work.tx.regions.getOrThrow(target.region);
    if (hasVlan([{ interfaces }]) && !capabilities.includes("Vlans")) throw errors.noVlansInRegion();
    const plain = plainConfig(target.specs.memory);
    const config = await work.tx.configs.add({
      instance: target.id,
      label: body.label,
      comments: body.comments ?? null,
      devices: requestedDevices(body.devices),
      helpers: { ...plain.helpers, ...body.helpers },
      interfaces,
      kernel: body.kernel ?? plain.kernel,
      memory_limit: body.memory_limit ?? plain.memory_limit,
      root_device: body.root_device ?? plain.root_device,
      run_level: body.run_level ?? plain.run_level,
      virt_mode: body.virt_mode ?? plain.virt_mode,
      initrd: null,
      created: work.date,
      updated: work.date,
    });
    // config-event
    await work.recordEvent({
      account: target.account,
      action: "compute_config_create",
      username: callerOf(context).user,
      entity: instanceEntity(target),
    });
    return { status: 200, body: config };
  },
};

/** All eight slots. Those without a disk or a volume are empty. */
function requestedDevices(sent: ConfigDevicesCreate): Config["devices"] {
  return fillSlots((slot) => {
    const { disk_id = null, volume_id = null } = sent[slot] ?? {};
    return disk_id === null && volume_id === null ? null : { disk_id, volume_id };
  });
}
