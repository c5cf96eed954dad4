import type { MockOptions } from "@cloud-compute/mock";

/** What is there on an empty store, as the contract of the service lists it: data, not behavior. */
export const cloudComputeData: NonNullable<MockOptions["data"]> = {
  Region: [
    region("ap-south", "sg", { vlans: true, net: 1 }),
    region("eu-central", "de", { vlans: true, net: 2 }),
    region("eu-west", "uk", { vlans: false, net: 3 }),
    region("us-east", "us", { vlans: true, net: 4 }),
    region("us-west", "us", { vlans: false, net: 6 }),
  ],
  InstanceType: [
    plan("g6-nanode-1", { disk: 25, memory: 1, transfer: 1000, vcpus: 1 }),
    plan("g6-standard-1", { disk: 50, memory: 2, transfer: 2000, vcpus: 1 }),
    plan("g6-standard-2", { disk: 80, memory: 4, transfer: 4000, vcpus: 2 }),
    plan("g6-standard-4", { disk: 160, memory: 8, transfer: 5000, vcpus: 4 }),
    plan("g6-standard-6", { disk: 320, memory: 16, transfer: 8000, vcpus: 6 }),
    plan("g6-dedicated-2", { disk: 80, memory: 4, transfer: 4000, vcpus: 2 }),
  ],
  Kernel: [
    { id: "compute/latest-64bit", label: "Latest 64 bit", built: "2024-05-06T09:15:00Z" },
    { id: "compute/grub2", label: "GRUB 2", built: "2021-03-17T12:00:00Z" },
  ],
  KubeVersion: [{ id: "1.28" }, { id: "1.29" }, { id: "1.30" }],
  Image: [
    distribution("debian10", "Debian 10", { size: 1500, deprecated: true }),
    distribution("debian11", "Debian 11", { size: 1300 }),
    distribution("debian12", "Debian 12", { size: 1300 }),
    distribution("ubuntu22.04", "Ubuntu 22.04 LTS", { size: 2500 }),
    distribution("ubuntu24.04", "Ubuntu 24.04 LTS", { size: 2700 }),
    distribution("fedora40", "Fedora 40", { size: 2500 }),
  ],
  SecurityQuestion: [
    "In what city were you born?",
    "What was your first pet?",
    "Who was your first teacher?",
    "What is your favorite book?",
  ].map((question, index) => ({ id: index + 1, question, response: null })),
};

type Values = Readonly<Record<string, unknown>>;

function region(
  id: string,
  country: string,
  { vlans, net }: { readonly vlans: boolean; readonly net: number },
): Values {
  const capabilities = [
    "Compute",
    "Block Storage",
    "Backups",
    "NodeBalancers",
    "Kubernetes",
    ...(vlans ? ["Vlans"] : []),
  ];
  const resolvers = { ipv4: `192.0.2.${net}5,192.0.2.${net}6`, ipv6: `2001:db8:${net}::5,2001:db8:${net}::6` };
  return { id, country, capabilities, resolvers, status: "ok" };
}

function plan(id: string, { disk, memory, ...rest }: Record<"disk" | "memory" | "transfer" | "vcpus", number>): Values {
  return { id, label: id, disk: disk * 1024, memory: memory * 1024, gpus: 0, ...rest };
}

function distribution(
  name: string,
  label: string,
  { size, deprecated = false }: { readonly size: number; readonly deprecated?: boolean },
): Values {
  const at = "2024-06-03T12:00:00Z";
  return {
    ...{ id: `compute/${name}`, label, description: null, created: at, updated: at, created_by: "compute", deprecated },
    ...{ eol: "2028-06-30T00:00:00Z", expiry: null, is_public: true, size, status: "available", type: "manual" },
    vendor: label.split(" ")[0],
  };
}
