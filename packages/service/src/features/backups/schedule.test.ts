import * as api from "@cloud-compute/client";
import { describe, expect, test } from "vitest";
import { start, type World } from "../../testing.support.js";
import * as controls from "../../testing/index.js";
import { deploy, empty, put, readInstance, readEvents } from "../instances/instances.support.js";

async function enable({ admin }: World, computeId: number): Promise<void> {
  expect(await api.enableInstanceBackups(admin, { path: { computeId } })).toEqual({});
}

/** Enables backups on Wednesdays between 10:00 and 12:00. */
async function onWednesdays(world: World): Promise<number> {
  const { id } = await deploy(world);
  await schedule(world, id, { day: "Wednesday", window: "W10" });
  await enable(world, id);
  return id;
}

type Schedule = NonNullable<NonNullable<api.InstanceUpdate["backups"]>["schedule"]>;

function schedule({ admin }: World, computeId: number, to: Schedule): Promise<api.Instance> {
  return api.updateInstance(admin, { path: { computeId }, body: { backups: { schedule: to } } });
}

async function taken({ admin }: World, computeId: number): Promise<readonly string[]> {
  const { automatic } = await api.listInstanceBackups(admin, { path: { computeId } });
  return automatic.map(({ created }) => created);
}

/** Moves the clock to a weekday, Sunday being 0, and a time, at least a day from now. */
async function moveTo(world: World, day: number, time: string): Promise<void> {
  const now = Date.parse((await controls.getClock(world.controls)).now);
  const to = new Date(now + 86_400_000);
  to.setUTCDate(to.getUTCDate() + ((day - to.getUTCDay() + 7) % 7));
  const at = Date.parse(`${to.toISOString().slice(0, 10)}T${time}Z`);
  await world.advance(`PT${Math.ceil((at > now ? at - now : at + 7 * 86_400_000 - now) / 1000)}S`);
}

const weekday = (date: string | undefined): number => new Date(date ?? "").getUTCDay();
const hour = (date: string | undefined): number => new Date(date ?? "").getUTCHours();

describe("enabling", () => {
  test("lets the platform choose the schedule soon after", async () => {
    const world = await start();
    const { id, backups } = await empty(world);
    expect(backups).toEqual({
      available: false,
      enabled: false,
      last_successful: null,
      schedule: { day: null, window: null },
    });
    await enable(world, id);
    expect((await readInstance(world, id)).backups).toEqual({
      available: false,
      enabled: true,
      last_successful: null,
      schedule: { day: "Scheduling", window: "Scheduling" },
    });
    await world.settle();
    const { schedule: chosen } = (await readInstance(world, id)).backups;
    expect(chosen.day).toMatch(/^(Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day$/);
    expect(chosen.window).toMatch(/^W\d+$/);
    expect(await readEvents(world, id)).toEqual(["compute_create finished", "backups_enable notification"]);
  });

  test("changes nothing when the service is enabled", async () => {
    const world = await start();
    const id = await onWednesdays(world);
    const before = await readInstance(world, id);
    await world.advance("PT5S");
    await enable(world, id);
    expect(await readInstance(world, id)).toEqual(before);
    expect(await world.settle()).toBe(0);
  });

  test("keeps an earlier choice, and lets the platform choose the rest", async () => {
    const world = await start();
    const { id } = await empty(world);
    await schedule(world, id, { window: "W22" });
    await enable(world, id);
    expect((await readInstance(world, id)).backups.schedule).toEqual({ day: "Scheduling", window: "W22" });
    await world.settle();
    const { day, window } = (await readInstance(world, id)).backups.schedule;
    expect([day, window]).toEqual([expect.stringMatching(/day$/), "W22"]);
  });

  test("happens for a new instance on request, and for every instance from a backup", async () => {
    const world = await start();
    const { id } = await deploy(world, { backups_enabled: true });
    expect((await readInstance(world, id)).backups.enabled).toBe(true);
    const { id: backup_id } = await controls.createAutomaticBackup(world.controls, {
      path: { id },
      body: { type: "auto" },
    });
    await world.settle();
    const copy = await empty(world, { backup_id, backups_enabled: false });
    expect(copy.backups).toMatchObject({ enabled: true, schedule: { day: "Scheduling", window: "Scheduling" } });
  });
});

describe("a scheduled backup", () => {
  test("runs every week, on the day and within the window, and three remain", async () => {
    const world = await start();
    const id = await onWednesdays(world);
    await world.advance("P6DT22H");
    const early = await taken(world, id);
    expect(early.length).toBeLessThanOrEqual(1);
    await world.advance("PT2H");
    const [first] = await taken(world, id);
    expect(await taken(world, id)).toHaveLength(1);
    expect([weekday(first), [10, 11].includes(hour(first))]).toEqual([3, true]);
    await world.settle();
    expect((await readInstance(world, id)).backups).toMatchObject({
      available: true,
      last_successful: expect.any(String),
    });
    await world.advance("P28D");
    await world.settle();
    const kept = await taken(world, id);
    expect(kept).toHaveLength(3);
    const weeks = kept.map((date) => (Date.parse(date) - Date.parse(first ?? "")) / (7 * 86_400_000));
    expect(weeks).toEqual([2, 3, 4]);
  });

  test("runs neither before its window nor after it", async () => {
    const world = await start();
    const id = await onWednesdays(world);
    await moveTo(world, 3, "09:59:59");
    const before = (await taken(world, id)).length;
    await world.advance("PT1S");
    await world.advance("PT2H");
    expect(await taken(world, id)).toHaveLength(before + 1);
    await world.advance("P6DT21H59M");
    expect(await taken(world, id)).toHaveLength(before + 1);
  });

  test("follows a changed schedule", async () => {
    const world = await start();
    const id = await onWednesdays(world);
    const changed = await schedule(world, id, { day: "Sunday", window: "W0" });
    expect(changed.backups.schedule).toEqual({ day: "Sunday", window: "W0" });
    await world.advance("P7D");
    const [only, ...others] = await taken(world, id);
    expect([others, weekday(only), [0, 1].includes(hour(only))]).toEqual([[], 0, true]);
    await schedule(world, id, { day: "Scheduling" });
    expect((await readInstance(world, id)).backups.schedule).toEqual({ day: "Scheduling", window: "W0" });
    await world.settle();
    expect((await readInstance(world, id)).backups.schedule.day).toMatch(/day$/);
  });

  test("waits for a busy instance as long as its window lasts", async () => {
    const world = await start();
    const id = await onWednesdays(world);
    await moveTo(world, 3, "09:59:00");
    const before = (await taken(world, id)).length;
    await put(world, id, "stopped");
    await world.advance("PT1H56M");
    expect(await taken(world, id)).toHaveLength(before);
    await put(world, id, "offline");
    await world.advance("PT5M");
    expect(await taken(world, id)).toHaveLength(before + 1);
    await moveTo(world, 3, "09:59:00");
    const then = await taken(world, id);
    await put(world, id, "stopped");
    await world.advance("PT3H");
    await put(world, id, "offline");
    await world.advance("P6D");
    expect(await taken(world, id)).toEqual(then);
    await world.advance("P1D");
    expect(await taken(world, id)).toHaveLength(then.length + 1);
  });

  test("does not count as a transient state that settling ends", async () => {
    const world = await start();
    await onWednesdays(world);
    const { now } = await controls.getClock(world.controls);
    expect(await world.settle()).toBe(0);
    expect(Date.parse((await controls.getClock(world.controls)).now) - Date.parse(now)).toBeLessThan(10_000);
  });
});

describe("cancelling", () => {
  test("deletes all backups for good, and stops the schedule", async () => {
    const world = await start();
    const id = await onWednesdays(world);
    const path = { computeId: id };
    await controls.createAutomaticBackup(world.controls, { path: { id }, body: { type: "auto" } });
    await world.settle();
    await api.createInstanceSnapshot(world.admin, { path, body: { label: "under way" } });
    expect(await api.cancelInstanceBackups(world.admin, { path })).toEqual({});
    const none = { automatic: [], snapshot: { current: null, in_progress: null } };
    expect(await api.listInstanceBackups(world.admin, { path })).toEqual(none);
    expect((await readInstance(world, id)).backups).toEqual({
      available: false,
      enabled: false,
      last_successful: null,
      schedule: { day: null, window: null },
    });
    expect(await world.settle()).toBe(0);
    await world.advance("P15D");
    expect(await api.listInstanceBackups(world.admin, { path })).toEqual(none);
    expect((await readEvents(world, id)).slice(1)).toEqual([
      "compute_update notification",
      "backups_enable notification",
      "compute_snapshot failed",
      "backups_cancel notification",
    ]);
  });

  test("changes nothing without the service and without backups", async () => {
    const world = await start();
    const instance = await empty(world);
    await world.advance("PT5S");
    expect(await api.cancelInstanceBackups(world.admin, { path: { computeId: instance.id } })).toEqual({});
    expect(await readInstance(world, instance.id)).toEqual(instance);
  });
});
