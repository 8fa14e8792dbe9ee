"""Single sign-on by an OpenID Connect provider; enabled by the section [oidc] of the settings."""
