"""Addresses -> views."""

from django.urls import path

from review.accounts.oidc import views as oidc
from review.dashboard import views as dashboard
from review.views import (
    account,
    cases,
    entering,
    groups,
    home,
    ignoring,
    listing,
    oversight,
    people,
    referral,
    revealing,
    saved,
)

urlpatterns = [
    path("", home.home, name="home"),
    path("alive/", home.alive, name="alive"),
    path("login/", account.sign_in, name="login"),
    path("login/provider/", oidc.leave, name="oidc"),
    path("login/provider/back/", oidc.come_back, name="oidc-back"),
    path("enter/<slug:token>/", entering.enter, name="enter"),
    path("logout/", account.sign_out, name="logout"),
    path("password/", account.password, name="password"),
    path("referrals/", listing.listing, name="list"),
    path("group/<slug:pk>/", groups.group, name="group"),
    path("group/<slug:pk>/judge/", groups.judge, name="group-judge"),
    path("views/", saved.save, name="view-save"),
    path("views/<int:pk>/", saved.view, name="view"),
    path("views/<int:pk>/remove/", saved.remove, name="view-remove"),
    path("next/", referral.next_one, name="next"),
    path("referral/<slug:pk>/", referral.referral, name="referral"),
    path("referral/<slug:pk>/judge/", referral.judge, name="judge"),
    path("referral/<slug:pk>/reveal/", revealing.reveal_text, name="reveal"),
    path("referral/<slug:pk>/ignore/", ignoring.ignore, name="ignore"),
    path("ignored/", ignoring.ignored, name="ignored"),
    path("vote/<int:pk>/undo/", referral.take_back, name="undo"),
    path("cases/", cases.cases, name="cases"),
    path("cases/export/", cases.cases_export, name="cases-export"),
    path("case/<slug:pk>/", cases.case, name="case"),
    path("case/<slug:pk>/change/", cases.change, name="case-change"),
    path("case/<slug:pk>/export/", cases.case_export, name="case-export"),
    path("dashboard/", dashboard.rules, name="dashboard"),
    path("dashboard/time/", dashboard.over_time, name="dashboard-time"),
    path("dashboard/compare/", dashboard.compared, name="dashboard-compare"),
    path("dashboard/what-if/", dashboard.what_if, name="dashboard-what-if"),
    path("dashboard/queues/", dashboard.queues, name="dashboard-queues"),
    path("dashboard/scan/", dashboard.scanned, name="dashboard-scan"),
    path("dashboard/files/", dashboard.files, name="dashboard-files"),
    path("dashboard/folders/", dashboard.folders, name="dashboard-folders"),
    path("agreement/", oversight.agreed, name="agreement"),
    path("samples/", oversight.samples, name="samples"),
    path("audit/", oversight.audit_log, name="audit"),
    path("audit/check/", oversight.audit_check, name="audit-check"),
    path("labels.csv", oversight.labels, name="labels"),
    path("people/", people.people, name="people"),
    path("people/new/", people.person, name="person-new"),
    path("people/<int:pk>/", people.person, name="person"),
]

handler500 = "review.views.faults.server_error"
