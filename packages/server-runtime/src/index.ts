export { BrokenReply, isBrokenReply } from "./broken-reply.js";
export { date, dateTime } from "./date-times.js";
export type { HeaderRule, ReplyHeaders } from "./headers.js";
export { checkReply, writeReply, type HandlerReply, type ReplyTables, type Written } from "./replies.js";
export {
  asGiven,
  fieldsOf,
  first,
  isShownTo,
  itemsOf,
  othersOf,
  placesOf,
  scalar,
  type Others,
  type Show,
  type Shown,
  type Viewer,
  type VisibleTo,
} from "./shown.js";
export type { FailureStatus, OtherFailure, OtherStatus, StatusOf } from "./statuses.js";
