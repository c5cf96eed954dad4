import * as controls from "../../../src/testing/index.js";
import { regionOf } from "./instances.js";
import type { Act, Walk } from "./walk.js";

/** Effects that no request to the API causes. */
export const platform: readonly Act[] = [
  advance("PT31S"),
  advance("PT31S"),
  advance("PT31S"),
  advance("PT1H"),
  advance("PT25H"),
  async (walk) => {
    if (walk.chance(30)) await advance("P8D")(walk);
    if (walk.chance(3)) await advance("P100D")(walk);
  },
  setInstanceStatus,
  setInstanceStatus,
  async (walk) => {
    const id = await walk.instance();
    if (id !== undefined) await walk.control(controls.createAutomaticBackup, { path: { id }, body: { type: "auto" } });
  },
  async (walk) => {
    const id = await walk.instance();
    if (id !== undefined && walk.chance(30)) await walk.control(controls.createAutomaticImage, { path: { id } });
  },
  async (walk) => {
    await walk.control(controls.hold, { body: { hold: true } });
    await advance("PT5M")(walk);
    await walk.control(controls.hold, { body: { hold: false } });
  },
  async (walk) => {
    const label = `stackscript ${walk.random.below(99)}`;
    const made = await walk.control(controls.createStackScript, { body: { label, images: ["compute/debian12"] } });
    if (made !== undefined) await walk.control(controls.deleteStackScript, { path: { id: made.id } });
  },
  async (walk) => {
    const path = { id: regionOf(walk) };
    await walk.control(controls.setRegion, { path, body: { status: walk.chance(20) ? "outage" : "ok" } });
  },
  forSomebody,
  forSomebody,
  grants,
];

function advance(by: string): Act {
  return (walk) => walk.control(controls.advanceClock, { body: { advance: by } });
}

const states = [
  "running",
  "running",
  "offline",
  "offline",
  "booting",
  "rebooting",
  "shutting_down",
  "provisioning",
  "deleting",
  "migrating",
  "rebuilding",
  "cloning",
  "restoring",
  "stopped",
  "suspended",
] as const;

async function setInstanceStatus(walk: Walk): Promise<void> {
  const instances = await walk.instances();
  const lasting = instances.filter(({ status }) => status === "stopped");
  const instance = walk.some(lasting.length > 2 ? lasting : instances);
  if (instance === undefined) return;
  const status = lasting.length > 2 ? "offline" : walk.random.one(states);
  await walk.control(controls.setInstanceStatus, { path: { id: instance.id }, body: { status } });
}

async function forSomebody(walk: Walk): Promise<void> {
  const { random } = walk;
  const { username, account } = walk.person;
  switch (random.below(6)) {
    case 0:
      await walk.control(controls.createApp, { body: { label: "an app", scopes: "domains:read_only", username } });
      return;
    case 1:
      await walk.control(controls.createDevice, { body: { user_agent: "a browser", username } });
      return;
    case 2:
      await walk.control(controls.createLogin, { body: { ip: "192.0.2.1", username } });
      return;
    case 3:
      await walk.control(controls.createPayment, { body: { usd: 5, account } });
      return;
    case 4: {
      // Their number is limited by the labels, since the API cannot delete them.
      const label = `balancer-${random.below(5)}`;
      await walk.control(controls.createNodeBalancer, { body: { label, region: "us-east", account } });
      return;
    }
    default: {
      if (!walk.chance(10)) return;
      const instance = walk.some(await walk.instances());
      const at = instance === undefined ? {} : { compute_id: instance.id };
      const body = { label: "volume", size: 20, region: instance?.region ?? "us-east", account, ...at };
      await walk.control(controls.createVolume, { body });
    }
  }
}

/** Changes the grants of another user of the account. */
async function grants(walk: Walk): Promise<void> {
  const permissions = walk.random.one(["read_only", "read_write", null] as const);
  const compute = (await walk.instances()).slice(0, 5).map(({ id }) => ({ id, permissions }));
  const domain = (await walk.domains()).slice(0, 5).map(({ id }) => ({ id, permissions }));
  const image = (await walk.images()).slice(0, 3).map(({ id }) => ({ id: Number(id.split("/")[1]), permissions }));
  const global = {
    account_access: walk.random.one(["read_only", "read_write", null] as const),
    add_computes: walk.chance(70),
    add_domains: walk.chance(70),
    add_images: walk.chance(70),
  };
  const path = { username: `restricted-of-${walk.person.account}` };
  await walk.control(controls.setGrants, { path, body: { global, compute, domain, image } });
}
