// Request bodies: a typical new instance, and the same with five issues.
export const valid = {
  region: "us-east",
  type: "g6-standard-2",
  image: "compute/debian11",
  root_pass: "aComplex!Pass1word",
  label: "web-1",
  authorized_keys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJxq joe@example"],
  authorized_users: ["joe", "jane"],
  tags: ["production", "web"],
  booted: true,
  backups_enabled: true,
  swap_size: 512,
  interfaces: [{ purpose: "public" }, { purpose: "vlan", label: "vlan-1", ipam_address: "10.0.0.1/24" }],
};

// One each: a field that is missing, a pattern, two lengths, a range.
export const faulty = {
  ...valid,
  region: undefined,
  label: "web--1",
  root_pass: "short",
  tags: ["x", "web"],
  swap_size: -1,
};
