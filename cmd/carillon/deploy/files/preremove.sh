#!/bin/sh
set -e
# Debian says "remove" or "upgrade", RPM how many versions remain.
case "$1" in
remove | 0) if [ -d /run/systemd/system ]; then systemctl disable --now carillon.service; fi ;;
esac
