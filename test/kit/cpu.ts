/** Starts counting the CPU time of this process, and returns what says how many milliseconds it was: other work of the machine is not in it. */
export function startCpuClock(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { system, user } = process.cpuUsage(before);
    return (system + user) / 1000;
  };
}
