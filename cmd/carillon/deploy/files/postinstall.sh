#!/bin/sh
set -e
if command -v systemd-sysusers >/dev/null; then
	systemd-sysusers carillon.conf
elif ! getent passwd carillon >/dev/null; then
	useradd --system --home-dir /var/lib/carillon --shell /usr/sbin/nologin carillon
fi
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	systemctl try-restart carillon.service
fi
