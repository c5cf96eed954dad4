import { RegExpRouter } from "hono/router/reg-exp-router";
import { patterns } from "./targets.mjs";

const router = new RegExpRouter();
for (const { name, method, pattern } of patterns) router.add(method, pattern, name);

export const match = (method, target) => router.match(method, target);
export const nameOf = ([[first] = []]) => first?.[0];
