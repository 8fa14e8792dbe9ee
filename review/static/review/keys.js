"use strict";
// Single keys press what carries them; while somebody types, they are letters, and Escape leaves the field.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  const at = document.activeElement;
  const typing = at && (at.tagName === "TEXTAREA" || at.tagName === "SELECT" || (at.tagName === "INPUT" && !["checkbox", "submit"].includes(at.type)));
  if (event.key === "Escape" && typing) {
    at.blur();
    return;
  }
  if (typing) return;
  if (document.querySelector("dialog[open]")) return; // its own keys close it
  if (event.key === "Enter" && at && at.type === "checkbox") event.preventDefault(); // it would send the form
  if (event.key === "Enter" && at && at !== document.body && at.id !== "main") return;
  const target = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!target || target.disabled) return;
  event.preventDefault();
  if (target.tagName === "TEXTAREA" || (target.tagName === "INPUT" && target.type !== "checkbox")) target.focus();
  else target.click();
});

document.querySelectorAll("[data-opens]").forEach((each) => {
  each.addEventListener("click", () => document.getElementById(each.dataset.opens).showModal());
});

// The chosen colours are kept in a cookie, so that the service writes them into every page.
document.querySelectorAll("[data-theme-switch]").forEach((each) => {
  each.addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    const secure = window.location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `theme=${root.dataset.theme}; path=/; max-age=31536000; SameSite=Lax${secure}`;
  });
});
document.querySelectorAll("[data-prints]").forEach((each) => each.addEventListener("click", () => window.print()));

// A second press while the first is on its way must not reach the next referral.
document.addEventListener("submit", (event) => {
  if (event.target.target === "_blank" || event.target.method === "dialog") return;
  if (event.target.dataset.sent) {
    event.preventDefault();
    return;
  }
  event.target.dataset.sent = "yes";
  document.querySelectorAll("[data-key]").forEach((each) => each.removeAttribute("data-key"));
});
// In each navigation the entry of this page, or of the page that leads to it; one within a menu marks the menu too.
// Tabs know their own page already.
const here = window.location.pathname;
document.querySelectorAll("nav:not(.tabs)").forEach((nav) => {
  const entries = [...nav.querySelectorAll("a")];
  const fitting = entries.map((each) => each.pathname).filter((path) => path === here || (path !== "/" && here.startsWith(path)));
  const nearest = fitting.sort((one, other) => other.length - one.length)[0];
  entries.filter((each) => each.pathname === nearest).forEach((each) => {
    each.setAttribute("aria-current", nearest === here ? "page" : "true");
    const menu = each.closest("details.menu");
    if (menu && !each.classList.contains("slim")) menu.dataset.current = "yes";
  });
});

// A menu closes by Escape, by a click elsewhere, and when the focus leaves it.
document.querySelectorAll("details.menu").forEach((menu) => {
  const close = () => { menu.open = false; };
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    close();
    menu.querySelector("summary").focus();
  });
  menu.addEventListener("focusout", (event) => { if (event.relatedTarget && !menu.contains(event.relatedTarget)) close(); });
  document.addEventListener("click", (event) => { if (!menu.contains(event.target)) close(); });
});
window.addEventListener("pageshow", (event) => {
  if (event.persisted) window.location.reload();
});
