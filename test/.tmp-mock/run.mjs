import { startCloudComputeMock } from "./mock.mjs";
const m = await startCloudComputeMock(Number(process.argv[2]));
console.log([m.url,m.controls,m.token].join(" "));
