/** Lets a complaint about a port name the setting that this one comes from. */
export async function namedMetricsListen<Result>(open: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof Error) {
      error.message = error.message
        .replace("--port", "--metrics-listen")
        .replace(
          "The setting host has to be an address of this machine, such as 127.0.0.1",
          "The setting metrics_listen has to be an address of this machine, such as 127.0.0.1:9464",
        );
    }
    throw error;
  }
}
