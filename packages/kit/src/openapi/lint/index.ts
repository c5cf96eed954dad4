export { lint } from "./lint.js";
