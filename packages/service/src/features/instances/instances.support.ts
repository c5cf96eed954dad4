import * as api from "@cloud-compute/client";
import type { World } from "../../testing.support.js";
import * as controls from "../../testing/index.js";

export const password: string = "correct-Horse-7-battery";

/** Default values of a deployed instance in tests. */
export const deployment: api.InstanceCreate = {
  region: "us-east",
  type: "g6-standard-1",
  image: "compute/debian12",
  root_pass: password,
};

/** An instance that was deployed from an image, in its final state. */
export async function deploy(world: World, body: Partial<api.InstanceCreate> = {}): Promise<api.Instance> {
  const { id } = await api.createInstance(world.admin, { body: { ...deployment, ...body } });
  await world.settle();
  return readInstance(world, id);
}

/** An offline instance without disks and configs. */
export function empty(world: World, body: Partial<api.InstanceCreate> = {}): Promise<api.Instance> {
  return api.createInstance(world.admin, { body: { region: "us-east", type: "g6-standard-1", ...body } });
}

export function readInstance({ admin }: World, computeId: number): Promise<api.Instance> {
  return api.getInstance(admin, { path: { computeId } });
}

export async function statusOf(world: World, id: number): Promise<api.Instance["status"]> {
  return (await readInstance(world, id)).status;
}

type Status = Parameters<typeof controls.setInstanceStatus>[1]["body"]["status"];

/** Makes the platform put an instance into a state. Returns the resulting status. */
export async function put(world: World, id: number, status: Status): Promise<string> {
  return (await controls.setInstanceStatus(world.controls, { path: { id }, body: { status } })).status;
}

export async function disksOf(
  world: World,
  id: number,
): Promise<Awaited<ReturnType<typeof controls.listInstanceDisks>>["data"]> {
  return (await controls.listInstanceDisks(world.controls, { path: { id } })).data;
}

export async function configsOf({ admin }: World, computeId: number): Promise<api.Config[]> {
  return (await api.listInstanceConfigs(admin, { path: { computeId } })).data;
}

/** The events of an instance as texts, oldest first. */
export async function readEvents({ admin }: World, id: number): Promise<string[]> {
  const headers = { "X-Filter": { "entity.id": id, "entity.type": "compute" } };
  const { data } = await api.listEvents(admin, { headers });
  return data.map(({ action, status }) => `${action} ${status}`);
}
