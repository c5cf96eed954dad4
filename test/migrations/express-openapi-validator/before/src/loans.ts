import express, { type RequestHandler } from "express";
import { count } from "./metrics.js";

export const loans = express.Router();

interface LoanQuery {
  since: string;
}

const getLoans: RequestHandler<{ gardener: string }, { grams: unknown }, never, LoanQuery> = async (
  { params, query },
  response,
) => {
  count("getLoans");
  const since = new Date(String(query.since));
  await new Promise((resolve) => setImmediate(resolve));
  if (params.gardener === "broken") throw new Error("The loans are not readable.");
  // A mistake of ours, which the validation of responses finds.
  if (params.gardener === "unknown") response.json({ grams: "many" });
  else response.json({ grams: since.getUTCFullYear() });
};

loans.get("/loans/:gardener", getLoans);
