import { Router, type Request, type Response } from "express";

interface Seed {
  id: number;
  name: string;
  family: string;
  grams: number;
  organic: boolean;
}

const seeds = new Map<number, Seed>();
let last = 0;

export const router = Router();

router.get("/", (req, res) => {
  const { family, organic } = req.query as { family?: string; organic?: boolean };
  const limit = req.query.limit as unknown as number; // the validator has made it a number
  const found = [...seeds.values()]
    .filter((seed) => family === undefined || seed.family === family)
    .filter((seed) => organic === undefined || seed.organic === organic);
  res.json(found.slice(0, limit));
});

router.post("/", (req: Request, res: Response) => {
  const { name, family, grams, organic } = req.body as Omit<Seed, "id">;
  const seed: Seed = { id: ++last, name, family, grams, organic };
  seeds.set(seed.id, seed);
  res.status(201).json(seed);
});

// One seed
router
  .route("/:seedId")
  .get((req, res) => void (seeds.has(Number(req.params.seedId)) ? res.json(seeds.get(Number(req.params.seedId))) : res.status(404).end()))
  .patch((req, res) => {
    const seed = seeds.get(Number(req.params["seedId"]));
    if (seed === undefined) {
      res.status(404).end();
      return;
    }
    seed.grams = req.body.grams;
    res.json(seed);
  });

router.delete("/:seedId", remove);

/** A function of its own. */
function remove(req: Request, res: Response): void {
  const id = parseInt(req.params.seedId as string, 10);
  seeds.delete(id);
  res.status(204).end();
}
