import type { InstanceType, Kernel, KubeVersion, Region } from "@cloud-compute/server";
import type { ImageRow } from "../store/rows.js";

/** The plans of the platform: sizes in MB, the transfer of a month in GB. */
export const instanceTypes: readonly InstanceType[] = [
  plan("g6-nanode-1", "Nanode 1 GB", { disk: 25, memory: 1, transfer: 1000, vcpus: 1 }),
  plan("g6-standard-1", "Standard 2 GB", { disk: 50, memory: 2, transfer: 2000, vcpus: 1 }),
  plan("g6-standard-2", "Standard 4 GB", { disk: 80, memory: 4, transfer: 4000, vcpus: 2 }),
  plan("g6-standard-4", "Standard 8 GB", { disk: 160, memory: 8, transfer: 5000, vcpus: 4 }),
  plan("g6-standard-6", "Standard 16 GB", { disk: 320, memory: 16, transfer: 8000, vcpus: 6 }),
  plan("g6-standard-8", "Standard 32 GB", { disk: 640, memory: 32, transfer: 16_000, vcpus: 8 }),
  plan("g6-dedicated-2", "Dedicated 4 GB", { disk: 80, memory: 4, transfer: 4000, vcpus: 2 }),
  plan("g6-dedicated-4", "Dedicated 8 GB", { disk: 160, memory: 8, transfer: 5000, vcpus: 4 }),
  plan("g6-dedicated-8", "Dedicated 16 GB", { disk: 320, memory: 16, transfer: 6000, vcpus: 8 }),
];

export const typesById: ReadonlyMap<string, InstanceType> = new Map(instanceTypes.map((each) => [each.id, each]));

const everywhere = ["Compute", "Block Storage", "Backups", "NodeBalancers", "Kubernetes"];

/** The initial regions, which the test controls can change. */
export const regions: readonly Region[] = [
  region("ap-south", "sg", { capabilities: [...everywhere, "Vlans"], net: 1 }),
  region("eu-central", "de", { capabilities: [...everywhere, "Vlans"], net: 2 }),
  region("eu-west", "uk", { capabilities: everywhere, net: 3 }),
  region("us-east", "us", { capabilities: [...everywhere, "Vlans"], net: 4 }),
  region("us-southeast", "us", { capabilities: [...everywhere, "Vlans"], net: 5 }),
  region("us-west", "us", { capabilities: everywhere, net: 6 }),
];

export const kernels: readonly Kernel[] = [
  { id: "compute/latest-64bit", label: "Latest 64 bit (6.8.9-x86_64)", built: "2024-05-06T09:15:00Z" },
  { id: "compute/grub2", label: "GRUB 2", built: "2021-03-17T12:00:00Z" },
  { id: "compute/direct-disk", label: "Direct Disk", built: "2017-01-09T12:00:00Z" },
  { id: "compute/6.8.9-x86_64", label: "6.8.9-x86_64", built: "2024-05-06T09:15:00Z" },
  { id: "compute/5.19.17-x86_64", label: "5.19.17-x86_64", built: "2022-10-24T08:30:00Z" },
];

/** Three consecutive minor versions, each with its newest patch. */
export const kubeVersions: readonly KubeVersion[] = [{ id: "1.28" }, { id: "1.29" }, { id: "1.30" }];

export const latestPatch: ReadonlyMap<string, string> = new Map([
  ["1.28", "1.28.15"],
  ["1.29", "1.29.10"],
  ["1.30", "1.30.6"],
]);

/** The distributions that every user may deploy. */
export const publicImages: readonly ImageRow[] = [
  distribution("almalinux9", "AlmaLinux 9", { vendor: "AlmaLinux", size: 1600, eol: "2032-05-31" }),
  distribution("alpine3.19", "Alpine 3.19", { vendor: "Alpine", size: 300, eol: "2025-11-01" }),
  distribution("debian10", "Debian 10", { vendor: "Debian", size: 1500, eol: "2024-06-30", deprecated: true }),
  distribution("debian11", "Debian 11", { vendor: "Debian", size: 1300, eol: "2026-08-31" }),
  distribution("debian12", "Debian 12", { vendor: "Debian", size: 1300, eol: "2028-06-30" }),
  distribution("fedora40", "Fedora 40", { vendor: "Fedora", size: 2500, eol: "2025-05-13" }),
  distribution("ubuntu22.04", "Ubuntu 22.04 LTS", { vendor: "Ubuntu", size: 2500, eol: "2027-04-01" }),
  distribution("ubuntu24.04", "Ubuntu 24.04 LTS", { vendor: "Ubuntu", size: 2700, eol: "2029-04-01" }),
];

function plan(id: string, label: string, size: Record<"disk" | "memory" | "transfer" | "vcpus", number>): InstanceType {
  const { disk, memory, transfer, vcpus } = size;
  return { id, label, disk: disk * 1024, memory: memory * 1024, transfer, vcpus, gpus: 0 };
}

/** Name servers in the ranges that are reserved for examples. */
function region(id: string, country: string, has: { readonly capabilities: string[]; readonly net: number }): Region {
  const last = [5, 6, 7].map((each) => each + has.net * 10);
  return {
    id,
    country,
    capabilities: has.capabilities,
    resolvers: {
      ipv4: last.map((each) => `192.0.2.${each}`).join(","),
      ipv6: last.map((each) => `2001:db8:${has.net}::${each}`).join(","),
    },
    status: "ok",
  };
}

function distribution(
  name: string,
  label: string,
  has: { readonly vendor: string; readonly size: number; readonly eol: string; readonly deprecated?: true },
): ImageRow {
  return {
    id: `compute/${name}`,
    label,
    description: null,
    created: "2024-06-03T12:00:00Z",
    updated: "2024-06-03T12:00:00Z",
    created_by: "compute",
    deprecated: has.deprecated ?? false,
    eol: `${has.eol}T00:00:00Z`,
    expiry: null,
    is_public: true,
    size: has.size,
    status: "available",
    type: "manual",
    vendor: has.vendor,
    account: null,
    number: null,
    ticket: null,
    file: null,
  };
}
