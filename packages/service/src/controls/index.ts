import type { Server } from "@plumbline/server-runtime";
import { createServer } from "../gen/server.js";
import { logEntriesTo } from "../server/log-entries.js";
import type { Controls } from "./context.js";
import { instances } from "./instances.js";
import { objects } from "./objects.js";
import { service } from "./service.js";
import { users } from "./users.js";

/** The test controls: effects that only the platform, the clock or other systems cause. */
export function controlsOf(controls: Controls): Server {
  const { clock, log } = controls;
  return createServer(
    { ...service(controls), ...users(controls), ...objects(controls), ...instances(controls) },
    {
      clock: clock.now,
      log: logEntriesTo(log),
    },
  );
}
