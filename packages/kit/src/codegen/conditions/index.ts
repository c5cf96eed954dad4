export { CheckFile } from "./check-file.js";
export { emitCondition } from "./conditions.js";
export { emitExpression } from "./expressions.js";
export { emitOperationTable, listLiteral, objectLiteral, tableMember } from "./table.js";
export { emitValueSource } from "./value-sources.js";
