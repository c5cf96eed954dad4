import { errors, filterable, page, type ConfigDevicesCreate, type ConfigSlot } from "@cloud-compute/server";
import type { TagHandlers } from "../../context.js";
import { callerOf } from "../../unit-of-work.js";
import { hasVlan, interfacesOf, plainConfig, type slots } from "../../platform/disks.js";
import { entityOf } from "../../platform/instance-state.js";

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
      devices: devicesOf(body.devices),
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
      entity: entityOf(target),
    });
    return { status: 200, body: config };
  },
};

/** All eight slots. Those without a disk or a volume are empty. */
function devicesOf(sent: ConfigDevicesCreate): Record<(typeof slots)[number], ConfigSlot> {
  const slot = (name: (typeof slots)[number]): ConfigSlot => {
    const { disk_id = null, volume_id = null } = sent[name] ?? {};
    return disk_id === null && volume_id === null ? null : { disk_id, volume_id };
  };
  return {
    sda: slot("sda"),
    sdb: slot("sdb"),
    sdc: slot("sdc"),
    sdd: slot("sdd"),
    sde: slot("sde"),
    sdf: slot("sdf"),
    sdg: slot("sdg"),
    sdh: slot("sdh"),
  };
}
