import * as api from "@cloud-compute/client";
import { deploy } from "../../src/features/instances/instances.support.js";
import { publicKeys } from "../../src/features/profile/ssh-keys.support.js";
import type { World } from "../../src/testing.support.js";

/** What an owner of some of everything does. */
export async function useEverything(world: World): Promise<void> {
  const { admin } = world;
  const { id: computeId, label } = await deploy(world, { private_ip: true, tags: ["web"], backups_enabled: true });
  const page = { query: { page: 1, page_size: 25 } };
  await api.createTag(admin, { body: { label: "shop", computes: [computeId] } });
  await api.updateInstance(admin, { path: { computeId }, body: { group: "shop" } });
  await api.createInstanceSnapshot(admin, { path: { computeId }, body: { label: "before" } });
  await world.settle();
  const { id: domainId } = await api.createDomain(admin, {
    body: { domain: "example.com", type: "master", soa_email: "admin@example.com", tags: ["web"] },
  });
  await api.createDomainRecord(admin, { path: { domainId }, body: { type: "A", name: "www", target: "192.0.2.1" } });
  await api.createSSHKey(admin, { body: { label: "laptop", ssh_key: publicKeys.ed25519 } });
  await Promise.all([
    api.listInstances(admin, page),
    api.listInstances(admin, { ...page, headers: { "X-Filter": { label } } }),
    api.listInstances(admin, { ...page, headers: { "X-Filter": { tags: "web" } } }),
    api.listInstanceBackups(admin, { path: { computeId } }),
    api.listInstanceConfigs(admin, { path: { computeId }, ...page }),
    api.listImages(admin, page),
    api.listEvents(admin, page),
    api.listTags(admin, page),
    api.listTaggedObjects(admin, { path: { label: "web" }, ...page }),
    api.listDomains(admin, page),
    api.listDomainRecords(admin, { path: { domainId }, ...page }),
    api.getZoneFile(admin, { path: { domainId } }),
    api.listTokens(admin, page),
    api.listSSHKeys(admin, page),
    api.listLogins(admin, page),
    api.getProfile(admin),
  ]);
  await api.deleteTag(admin, { path: { label: "web" } });
  await api.deleteDomain(admin, { path: { domainId } });
  await api.deleteInstance(admin, { path: { computeId } });
  await world.settle();
}
