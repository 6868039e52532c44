import { accessManagement } from "./journeys/access";
import { looksOfPages } from "./journeys/looks";
import { notifications } from "./journeys/notifications";
import { protection } from "./journeys/protection";
import { theShell } from "./journeys/shell";
import { signingIn } from "./journeys/signing-in";
import { tasks } from "./journeys/tasks";
import { shareWorld } from "./shared-world";

// One service and one browser for all: to start them, and to compile the console again, takes longer than most journeys.
shareWorld();
looksOfPages();
signingIn();
theShell();
tasks();
protection();
notifications();
accessManagement();
