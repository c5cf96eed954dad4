export { toolset } from "./gen/toolset.js";
