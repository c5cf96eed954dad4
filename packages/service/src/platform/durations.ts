/**
 * The durations of the platform's work, in seconds, at pace 1. The documents state only that of clusters, 2 to 5 minutes. The others are typical of
 * similar clouds.
 */
const seconds = {
  provision: 30,
  boot: 15,
  reboot: 25,
  shutDown: 15,
  rebuild: 40,
  migrate: 120,
  clone: 60,
  restore: 60,
  delete: 3,
  watchdog: 5,
  backupScheduling: 20,
  backupPending: 5,
  backupRunning: 60,
  backupPostProcessing: 10,
  imageCreate: 45,
  imageProcess: 20,
  cluster: 180,
  // A node is ready two minutes after the request: its instance is created, starts, and joins.
  nodeInstance: 10,
  nodeJoin: 110,
  render: 30,
} as const;

export type Duration = keyof typeof seconds;

export const durations: Readonly<Record<Duration, number>> = seconds;
