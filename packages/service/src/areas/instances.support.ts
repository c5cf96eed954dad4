import * as api from "@cloud-compute/client";
import * as controls from "@cloud-compute/controls-client";
import type { World } from "../testing.support.js";

export const password: string = "correct-Horse-7-battery";

/** What an instance is deployed with where a test does not care. */
export const deployment: api.InstanceCreate = {
  region: "us-east",
  type: "g6-standard-1",
  image: "compute/debian12",
  root_pass: password,
};

/** An instance that was deployed from an image, and is as it was asked to be. */
export async function deploy(world: World, body: Partial<api.InstanceCreate> = {}): Promise<api.Instance> {
  const { id } = await api.createInstance(world.admin, { body: { ...deployment, ...body } });
  await world.settle();
  return shown(world, id);
}

/** An instance without disks and configs, which is offline. */
export function empty(world: World, body: Partial<api.InstanceCreate> = {}): Promise<api.Instance> {
  return api.createInstance(world.admin, { body: { region: "us-east", type: "g6-standard-1", ...body } });
}

export function shown({ admin }: World, computeId: number): Promise<api.Instance> {
  return api.getInstance(admin, { path: { computeId } });
}

export async function statusOf(world: World, id: number): Promise<api.Instance["status"]> {
  return (await shown(world, id)).status;
}

type Status = Parameters<typeof controls.setInstanceStatus>[1]["body"]["status"];

/** Has the platform put an instance into a state; gives the status that it shows. */
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

/** What the events of an instance tell, oldest first. */
export async function told({ admin }: World, id: number): Promise<string[]> {
  const headers = { "X-Filter": { "entity.id": id, "entity.type": "compute" } };
  const { data } = await api.listEvents(admin, { headers });
  return data.map(({ action, status }) => `${action} ${status}`);
}
