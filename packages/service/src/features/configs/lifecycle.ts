import type { Config, ConfigInterface, ConfigSlot } from "@cloud-compute/server";
import type { ConfigRow } from "../../store/rows.js";

/** The slots of a config, in their order. */
export const slots = ["sda", "sdb", "sdc", "sdd", "sde", "sdf", "sdg", "sdh"] as const;

/** The default values of a config, for an instance with this memory. */
export function plainConfig(memory: number): Omit<Config, "id" | "label" | "created" | "updated"> {
  return {
    comments: null,
    devices: devicesOf([]),
    helpers: { devtmpfs_automount: true, distro: true, modules_dep: true, network: true, updatedb_disabled: true },
    interfaces: [],
    kernel: "compute/latest-64bit",
    memory_limit: memory,
    root_device: "/dev/sda",
    run_level: "default",
    virt_mode: "paravirt",
    initrd: null,
  };
}

/** These disks in the first slots. The other slots are empty. */
export function devicesOf(disks: readonly { readonly id: number }[]): Config["devices"] {
  return fillSlots((_slot, position) => {
    const disk = disks[position];
    return disk === undefined ? null : { disk_id: disk.id, volume_id: null };
  });
}

/** Devices with each disk replaced by its copy. Slots without a copy become empty, and so do slots of volumes, which can be attached only once. */
export function moveDevices(devices: Config["devices"], disks: ReadonlyMap<number, number>): Config["devices"] {
  return fillSlots((slot) => {
    const disk = disks.get(devices[slot]?.disk_id ?? 0);
    return disk === undefined ? null : { disk_id: disk, volume_id: null };
  });
}

/** All slots, each with its device. */
export function fillSlots(deviceOf: (slot: (typeof slots)[number], position: number) => ConfigSlot): Config["devices"] {
  return {
    sda: deviceOf("sda", 0),
    sdb: deviceOf("sdb", 1),
    sdc: deviceOf("sdc", 2),
    sdd: deviceOf("sdd", 3),
    sde: deviceOf("sde", 4),
    sdf: deviceOf("sdf", 5),
    sdg: deviceOf("sdg", 6),
    sdh: deviceOf("sdh", 7),
  };
}

/** Interfaces in the format of responses: a public one has neither a label nor an address. */
export function interfacesOf(interfaces: readonly ConfigInterface[]): Config["interfaces"] {
  return interfaces.map(({ purpose, label, ipam_address }) =>
    purpose === "public"
      ? { purpose, label: null, ipam_address: null }
      : { purpose, label: label ?? null, ipam_address: ipam_address === "" ? null : (ipam_address ?? null) },
  );
}

/** Whether a config has an interface in a VLAN. */
export function hasVlan(configs: readonly Pick<ConfigRow, "interfaces">[]): boolean {
  return configs.some(({ interfaces }) => interfaces.some(({ purpose }) => purpose === "vlan"));
}
