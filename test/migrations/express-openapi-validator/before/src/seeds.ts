import { Router, type NextFunction, type Request, type Response } from "express";
import { count } from "./metrics.js";
import { sendPage, type Page } from "./pages.js";
import { photos } from "./photos.js";
import { nextId, seeds, type NewSeed, type Seed } from "./store.js";

export const router = Router();

router.get("/", (req, res) => {
  count("listSeeds");
  const { family, organic } = req.query as { family?: string; organic?: boolean };
  const limit = req.query.limit as unknown as number; // the validator has made it a number
  const found = [...seeds.values()]
    .filter((seed) => family === undefined || seed.family === family)
    .filter((seed) => organic === undefined || seed.organic === organic);
  const page: Page = { limit, offset: Number(req.query.offset) };
  sendPage(res, found, page);
});

router.post("/", (req: Request<{}, Seed, NewSeed>, res: Response<Seed>) => {
  const { name, family, grams, organic, ...others } = req.body;
  const seed: Seed = { id: nextId(), name, family, grams, organic, ...others };
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

router.delete("/:seedId", log, remove);

router.use("/:seedId/photos", photos);

function log(req: Request, _res: Response, next: NextFunction): void {
  count(`removeSeed by ${req.gardener?.name}`);
  next();
}

/** A function of its own. */
function remove(req: Request, res: Response): void {
  const id = parseInt(req.params.seedId as string, 10);
  seeds.delete(id);
  res.status(204).end();
}
