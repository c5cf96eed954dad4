import type { Request, Response } from "express";
import type { Context } from "openapi-backend";
import { find } from "./shed.js";

interface Loan {
  toolId: number;
  neighbour: string;
  days: number;
}

const loans = new Map<number, Loan>();

/** Lends a tool to a neighbour. */
export const lendTool = async (c: Context<{ days: number }>, _req: Request, res: Response) => {
  const toolId = parseInt(c.request.params.toolId as string, 10);
  const { days } = c.request.requestBody;
  if (find(toolId) === undefined) return res.status(404).json({ status: 404, reason: "no such tool" });
  const neighbour = c.request.headers["x-neighbour"] as string;
  const other = loans.get(toolId);
  if (other !== undefined && other.neighbour !== neighbour) {
    res.status(409).json({ status: 409, reason: `lent to ${other.neighbour}` });
    return;
  }
  const loan: Loan = { toolId, neighbour, days };
  loans.set(toolId, loan);
  return res.json(loan);
};
