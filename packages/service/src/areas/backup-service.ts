import type { InstanceRow } from "../store/rows.js";
import type { Work } from "../work.js";

/** The backup service of an instance is on. What of its schedule is not set, the platform chooses. */
export async function backupsEnabled(work: Work, instance: InstanceRow): Promise<InstanceRow> {
  const { day, window } = instance.backups.schedule;
  return work.tx.instances.change(instance, {
    backups: {
      ...instance.backups,
      enabled: true,
      schedule: { day: day ?? "Scheduling", window: window ?? "Scheduling" },
    },
  });
}
