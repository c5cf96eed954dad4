import express from "express";

export const loans = express.Router();

loans.get("/loans/:gardener", async ({ params, query }, response) => {
  const since = new Date(String(query.since));
  await new Promise((resolve) => setImmediate(resolve));
  // A mistake of ours, which the validation of responses finds.
  if (params.gardener === "unknown") response.json({ grams: "many" });
  else response.json({ grams: since.getUTCFullYear() });
});
