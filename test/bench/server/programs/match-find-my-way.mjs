import FindMyWay from "find-my-way";
import { patterns } from "./targets.mjs";

const router = FindMyWay();
for (const { name, method, pattern } of patterns) router.on(method, pattern, () => {}, name);

export const match = (method, target) => router.find(method, target);
export const nameOf = (found) => found?.store;
