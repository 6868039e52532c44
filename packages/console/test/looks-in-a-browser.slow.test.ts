import { looksOfPages } from "./journeys/looks";
import { manyUnits } from "./journeys/many-units";
import { shareWorld } from "./shared-world";

shareWorld();
looksOfPages();
manyUnits();
