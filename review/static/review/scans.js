"use strict";
// While a scan runs, its numbers are asked for every other second; at its end the page is loaded again.
const job = document.getElementById("job");
const words = job && job.querySelector("[data-words]");
async function look() {
  let told;
  try {
    const answer = await fetch(job.dataset.progress, { headers: { Accept: "application/json" } });
    told = (await answer.json()).job;
  } catch {
    words.textContent = words.dataset.silent;
    window.setTimeout(look, 5000);
    return;
  }
  if (!told || !told.runs) {
    window.location.reload();
    return;
  }
  job.querySelector("progress").value = told.percent;
  words.textContent = told.words;
  window.setTimeout(look, 2000);
}
if (job && job.dataset.runs === "yes") window.setTimeout(look, 1000);
